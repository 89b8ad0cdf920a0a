/// Stalls: what seam says of operations that wait for long. With SEAM_DEBUG_STALL=N in the
/// environment, whoever waits for an operation for N seconds says once on stderr what is missing:
/// partitions that no thread has marked, messages that have not come. Blocking calls of the MPI
/// library report if some rank wanted reports when the communicator was first used for one.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace seam {

using stall_time = std::chrono::duration<double>;

/// After how long operations report; nothing: never. Local.
/// @throws usage_error  SEAM_DEBUG_STALL is no number of seconds
std::optional<stall_time> time_before_report();

/// Makes operations that are waited for from now on report after that time, whatever the
/// environment says. More than 0 s. Local.
void set_time_before_report(std::optional<stall_time> after) noexcept;

/// Prints one line on stderr that says which rank waits for what. Local.
void report_stall(std::string const& what, stall_time waited);

/// One wait that may be reported. Local, one thread.
class stall_watch {
public:
  stall_watch()
      : after_(time_before_report()), begin_(after_ ? clock::now() : clock::time_point{}) {}

  /// True once, when it is time to report. Costs nothing where nothing is reported.
  bool is_due() {
    if (!after_ || clock::now() - begin_ < *after_)
      return false;
    after_.reset();
    return true;
  }

  stall_time waited() const { return clock::now() - begin_; }

private:
  using clock = std::chrono::steady_clock;

  std::optional<stall_time> after_;
  clock::time_point begin_;
};

} // namespace seam
