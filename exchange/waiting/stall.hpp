/// Stalls: what seam says of waits that last long, once each, as one line on stderr: in which call
/// a rank waits, which ranks have not made it and what these do instead (watch.hpp), and what is
/// missing: partitions that no thread has marked, messages that have not come.
///
/// In checked mode (checks.hpp) waits are reported after 10 s; SEAM_DEBUG_STALL=N, or --debug-stall
/// N, reports them after N seconds in any mode, and "inf" never. Where no Runtime has been made,
/// ranks cannot ask each other, and each speaks for itself.
#pragma once

#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace seam {

using stall_time = std::chrono::duration<double>;

/// After how long waits are reported; nothing: never. Local.
/// @throws usage_error  SEAM_DEBUG_STALL is no number of seconds
std::optional<stall_time> time_before_report();

/// The same if the environment or the program has said so, whatever the mode. Local.
std::optional<stall_time> wished_time_before_report();

/// Makes waits report after that time, more than 0 s, whatever the environment says; nothing: as
/// the mode has it. Local.
void set_time_before_report(std::optional<stall_time> after) noexcept;

/// Prints `line` on stderr, in one piece. Local, any thread.
void print_stall(std::string const& line);

/// Prints that this rank has waited so long for `what`. Local, any thread.
void report_stall(std::string const& what, stall_time waited);

/// Called now and then by a wait that has lasted for `waited` so far: reports it if it is due and
/// no other process can be asked. Local, any thread.
void look_at_wait(stall_time waited) noexcept;

/// What a wait that knows what is missing says, when it is reported.
///
///     stall_watch watch;
///     for (patience wait; !done(); wait.pause())
///       if (watch.is_due())
///         watch.tell(missing());
///
/// Local, one thread.
class stall_watch {
public:
  stall_watch() : calls_(calls_of_this_thread()) {}

  /// True when it is time to tell what is missing. Costs next to nothing.
  bool is_due() const noexcept { return calls_.text_is_wanted.load(std::memory_order_relaxed); }

  void tell(std::string what);

private:
  thread_calls& calls_;
};

} // namespace seam
