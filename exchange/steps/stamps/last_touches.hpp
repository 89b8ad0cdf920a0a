/// Last touches: what callers have done with references to elements of a buffer. Each thread notes the
/// element that it touched last and its value, and finds out with its next access of the buffer whether
/// the value has changed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace seam::detail {

/// A reference that a caller has had.
struct noted_touch {
  std::int64_t element = 0;     ///< the first of them
  std::uint64_t num_events = 0; ///< when it got it
  bool is_of_poison = false;
  bool has_changed = false; ///< since then
};

/// The last touch of each thread. Threads: any, each for itself, but for take(int).
class last_touches {
public:
  static constexpr int most_threads = 64; ///< touches of more are not noted

  last_touches();

  /// Notes a touch of elements in a row.
  /// @param at  their memory, of `bytes`
  void note(std::byte const* at, std::int64_t bytes, noted_touch const& of);

  /// What has become of the calling thread's last touch, if it has one, which is forgotten.
  std::optional<noted_touch> take();

  /// The same of thread number `thread`, which is not inside a loop over the buffer.
  std::optional<noted_touch> take(int thread);

  /// True if touches of the calling thread are noted.
  static bool are_noted();

private:
  static constexpr std::size_t kept_bytes = 16;

  struct alignas(64) slot {
    std::byte const* at = nullptr; ///< nullptr: none
    std::int64_t bytes = 0;
    noted_touch of;
    std::array<std::byte, kept_bytes> before{}; ///< the value, or a hash of it
  };

  static std::array<std::byte, kept_bytes> kept(std::byte const* bytes, std::int64_t count);

  std::unique_ptr<slot[]> slots_; ///< [most_threads]
};

} // namespace seam::detail
