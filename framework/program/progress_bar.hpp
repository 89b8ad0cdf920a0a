/// Progress: a bar at the foot of the terminal for long loops.
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

/// Returns "sweeps 512/2048 25% [#####...............] 1.2k/s 0:03 left"; without a total the
/// steps, their rate and the time so far. Fits 79 columns unless `what` is long.
std::string progress_in_words(std::string const& what, std::int64_t done, std::int64_t total,
                              double seconds);

} // namespace detail

/// A progress bar that rank 0 draws if its stderr is shown on a terminal. Disappears in the end.
/// Threads: one at a time, and one bar at a time.
class progress {
public:
  /// @param what   the steps in words: "sweeps"
  /// @param total  number of steps until the end, or 0 if that is not known
  /// Local.
  progress(mpi::comm_view over, std::string what, std::int64_t total = 0);
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  ~progress();

  /// Counts `steps` more as done.
  /// Local.
  /// Cost: an addition in most calls; the clock is read about every 10 ms, the bar drawn ten times
  /// a second at most.
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
