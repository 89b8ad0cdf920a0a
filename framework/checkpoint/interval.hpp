/// Intervals between checkpoints: "1000steps", "30s", "10min", "2h".
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace seam::detail {

/// A number of steps, or a time; the other is 0.
struct checkpoint_interval {
  std::int64_t steps = 0;
  std::chrono::duration<double> time{0};
};

/// Reads an interval, before which "every " may stand.
/// @throws usage_error  it is none
/// Local.
checkpoint_interval parse_interval(std::string const& text);

/// While one lives, SIGTERM and SIGUSR1 are noted in place of ending the process.
/// Threads: any.
class noted_signals {
public:
  noted_signals();
  noted_signals(noted_signals const&) = delete;
  noted_signals& operator=(noted_signals const&) = delete;
  ~noted_signals();

  /// The signal that has come to this process last since one lives, or 0. Local.
  static int last() noexcept;
};

} // namespace seam::detail
