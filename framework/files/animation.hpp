/// Animations: pictures of a run one after the other in one animated WebP file, which browsers show.
///
///     animation frames(grid.base(), "u.webp");
///     while (...) {
///       ...
///       frames.add(u);
///     }
///     frames.finish();
///
/// Colors are stored as they are, without loss. A frame that equals the one before is stored as a
/// longer one.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/framework/files/picture.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace seam {

namespace detail {
class webp_encoder;
}

/// One file. Rank 0 keeps its frames, packed, until finish(): a run that is killed leaves no file.
/// Threads: one at a time.
class animation {
public:
  /// @param milliseconds  that each frame is shown
  /// @throws usage_error  the file cannot be written, or a frame would be shown for less than 1 ms
  ///         (on all ranks)
  /// Collective: over `over`, which outlives this object.
  animation(mpi::comm_view over, std::string path, int milliseconds = 100);
  animation(animation&&) noexcept;
  animation& operator=(animation&&) noexcept;
  ~animation();

  /// Adds a picture of numbers on rank 0, with the range of colors of `options`. Without one, it
  /// reaches from the least to the largest number of all frames so far, so that a color means the
  /// same from frame to frame as far as it can.
  /// @throws usage_error  as draw() and the other add() (on all ranks)
  /// Collective: over the file's ranks.
  void add(shown_numbers const& numbers, picture_options options = {});

  /// Adds a picture of `field`, as write_png() draws it, with the range of colors as above.
  /// @throws usage_error  as write_png(), draw() and the other add() (on all ranks)
  /// Collective: over the field's grid, which has the file's ranks.
  /// Cost: all ranks send the cells shown to rank 0.
  template <class T, int D>
  void add(Field<T, D> const& field, picture_options const& options = {}) {
    add(gather_numbers(field, options), options);
  }

  /// Adds a frame of rank 0, as large as those before.
  /// @throws usage_error  it has another size, or libwebp refuses it (on all ranks)
  /// Collective: over the file's ranks.
  /// Cost: rank 0 packs the frame.
  void add(picture const& frame);

  /// Widens the range of colors of frames without one so that it holds `shown`, and returns it.
  /// Local.
  std::pair<double, double> widen_range(std::pair<double, double> shown);

  /// Writes the file, which replaces an older one.
  /// @throws usage_error  there are no frames, or the file cannot be written (on all ranks)
  /// Collective: over the file's ranks.
  void finish();

private:
  mpi::comm_view over_;
  std::string path_;
  int milliseconds_;
  std::optional<std::pair<double, double>> range_; ///< of the numbers so far; of a grid on rank 0
  std::unique_ptr<detail::webp_encoder> encoder_;  ///< on rank 0
};

} // namespace seam
