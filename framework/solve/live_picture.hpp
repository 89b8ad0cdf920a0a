/// Watching a run: its state as a picture in the terminal, drawn no more often than a share of the
/// time allows.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/framework/files/picture.hpp>
#include <seam/framework/program/option_list.hpp>
#include <seam/framework/program/terminal.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace seam::detail {

/// Draws numbers as large as they fit into the terminal, by whole factors; one row stays free.
/// @throws usage_error  as draw()
/// Local.
picture draw_for_terminal(shown_numbers const& numbers, picture_options options,
                          terminal_size const& size);

/// The lines that show a picture in 24-bit colors: each character is the upper half of a block, whose color is the
/// upper pixel's, on the lower one's. Each ends with a line break.
/// Local.
std::string half_blocks(picture const& drawn);

/// The number of lines that half_blocks() has.
constexpr std::int64_t num_lines_of(picture const& drawn) { return (drawn.height + 1) / 2; }

} // namespace seam::detail

namespace seam {

/// The options of a user on the command line. The same on all ranks.
struct watch_options {
  bool is_wanted = false;
  double percent = 5; ///< of the time, for pictures

  /// Adds --watch and --watch-share. `cli` keeps a reference to this.
  /// Local.
  void add_options(option_list cli);
};

namespace detail {

/// Decides when to draw. All times are seconds from any beginning.
class watch_pace {
public:
  /// @param share  of all time that may pass while pictures are drawn, above 0
  watch_pace(double share, double now) : share_(share), begin_(now), last_drawn_(now) {}

  /// True if a picture that costs as much as the last one keeps to the share, and the last one has
  /// been seen for a while.
  bool is_time(double now) const;

  /// Counts a picture that was drawn from `begin` to `end`.
  void count(double begin, double end);

  /// How many steps to do until the next look, if the last `steps` steps took `seconds`, so that
  /// looks are some hundredths of a second apart.
  static std::int64_t better_steps(std::int64_t steps, double seconds);

private:
  double share_, begin_, last_drawn_, spent_ = 0, last_cost_ = 0;
};

} // namespace detail

/// Draws a run in the terminal that shows rank 0's stderr, if there is one. Does nothing unless the
/// user has asked for it.
/// Threads: one at a time.
class watch {
public:
  /// Gathers what is drawn on rank 0. Collective.
  using gatherer = std::function<shown_numbers()>;

  /// Says that nothing is drawn, if so it is.
  /// Collective: over `over`, which outlives this object.
  watch(mpi::comm_view over, watch_options const& wanted, picture_options options = {});

  /// Steps until the next look, at most `most`. The same on all ranks.
  std::int64_t until_look(std::int64_t step, std::int64_t most) const noexcept;

  /// Draws if it is time: the first picture, and further ones as long as all together have taken no
  /// more than their share.
  /// Collective: over the ranks. Cost: every few hundredths of a second a broadcast.
  void look(std::int64_t step, gatherer const& gather);

  /// Draws at once: the first and the last state.
  /// Collective: over the ranks.
  void draw(gatherer const& gather);

private:
  double now() const;

  mpi::comm_view over_;
  picture_options options_;
  bool is_on_;
  std::chrono::steady_clock::time_point origin_ = std::chrono::steady_clock::now();
  detail::watch_pace pace_;
  std::int64_t steps_at_once_ = 1, last_look_ = 0;
  double time_of_look_ = 0;
};

} // namespace seam
