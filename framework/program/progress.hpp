/// Progress: a bar at the foot of the terminal for loops that take their time.
///
///     progress bar(runtime, "generations", 5000);
///     while (...) {
///       loop.sweep(rule);
///       bar.advance();
///     }
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace seam {
namespace detail {

/// "sweeps 512/2048 25% [#####...............] 1.2k/s 0:03 left", or without a total what is known
/// then. Fits 79 columns unless `what` is long.
std::string progress_in_words(std::string const& what, std::int64_t done, std::int64_t total,
                              double seconds);

} // namespace detail

/// A bar on rank 0 if its stderr is shown on a terminal, and nothing otherwise. Disappears in the
/// end. Threads: one at a time, and one bar at a time.
class progress {
public:
  /// @param what   the steps in words: "sweeps"
  /// @param total  steps until the end, or 0 if that is not known
  /// Local.
  progress(mpi::comm_view over, std::string what, std::int64_t total = 0);
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  ~progress();

  /// Counts `steps` more as done. Cheap enough for the innermost loop: the clock is read seldom,
  /// and the terminal written to ten times a second at most. Local.
  void advance(std::int64_t steps = 1) {
    done_ += steps;
    if (done_ >= next_look_)
      look();
  }

private:
  using clock = std::chrono::steady_clock;

  void look();

  std::string what_;
  std::int64_t total_;
  bool is_shown_;
  std::int64_t done_ = 0, next_look_, stride_ = 1;
  clock::time_point begin_ = clock::now(), last_look_ = begin_, last_drawn_ = begin_;
};

} // namespace seam
