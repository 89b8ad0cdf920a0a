/// Stalls: reports of waits that last long, one line on stderr for each. The line tells in which
/// call a rank waits, which ranks have not made it and what these do instead (watch.hpp), and what
/// is missing: partitions that no thread has marked, messages that have not arrived.
///
/// In checked mode (checks.hpp) waits are reported after 10 s; SEAM_DEBUG_STALL=N, or --debug-stall
/// N, reports them after N seconds in any mode, and "inf" never. Otherwise, and where no Runtime has
/// been made, ranks do not ask each other: each says what it waits for itself, after 60 s, and later
/// for waits that are twice as long as those before.
#pragma once

#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace seam {

using stall_time = std::chrono::duration<double>;

/// The time after which waits are reported; nothing: never. Local.
/// @throws usage_error  SEAM_DEBUG_STALL is no number of seconds
std::optional<stall_time> time_before_report();

/// The time that the environment or the program has set, in any mode; nothing: none. Local.
std::optional<stall_time> wished_time_before_report();

/// True if ranks are to ask each other why they wait: in checked mode, or where a time has been set.
/// Local.
bool stalls_are_explained();

/// Sets the time after which waits are reported, more than 0 s, whatever the environment says;
/// nothing: the time of the mode. Local.
void set_time_before_report(std::optional<stall_time> after) noexcept;

/// Prints the line about a wait on stderr, in one piece. Local, any thread.
void report_stall(std::string const& line);

/// Adds to the report of a wait what is missing, where the waiting loop knows it.
///
///     stall_watch watch;
///     for (patience wait; !done(); wait.pause())
///       if (watch.is_due())
///         watch.tell(missing());
///
/// Local, one thread.
class stall_watch {
public:
  stall_watch() : calls_(detail::calls_of_this_thread()) { count(+1); }
  stall_watch(stall_watch const&) = delete;
  stall_watch& operator=(stall_watch const&) = delete;
  ~stall_watch() { count(-1); }

  /// True when it is time to tell what is missing.
  /// Cost: one read of a word.
  bool is_due() const noexcept { return calls_.text_is_wanted.load(std::memory_order_relaxed); }

  void tell(std::string what);

private:
  void count(int change) noexcept {
    int const before = calls_.num_watches.load(std::memory_order_relaxed);
    calls_.num_watches.store(before + change, std::memory_order_relaxed);
  }

  detail::thread_calls& calls_;
};

} // namespace seam
