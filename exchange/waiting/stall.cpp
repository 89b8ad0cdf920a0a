#include <seam/exchange/waiting/stall.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace seam {
using namespace detail;

namespace {

constexpr double unknown = -1, no_wish = -2, never = std::numeric_limits<double>::infinity();
constexpr double in_checked_mode = 10;
constinit std::atomic<double> seconds = unknown;

double seconds_of_environment() {
  char const* const text = std::getenv("SEAM_DEBUG_STALL");
  if (text == nullptr)
    return no_wish;
  char* end = nullptr;
  double const value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(value > 0))
    refuse(fmt::format("SEAM_DEBUG_STALL '{}' (expected a number of seconds)", text));
  return value;
}

double wished_seconds() {
  double now = seconds.load(std::memory_order_relaxed);
  if (now == unknown) {
    now = seconds_of_environment();
    seconds.store(now, std::memory_order_relaxed);
  }
  return now;
}

/// The last report of a wait of this thread.
struct own_report {
  std::uint32_t wait = 0;
  stall_time waited{};
};
thread_local own_report reported;

/// Reports what this rank knows by itself.
void report_alone(thread_calls const& calls, std::string const& what) {
  reported.wait = calls.wait.load(std::memory_order_relaxed);
  char const* const name = calls.name.load(std::memory_order_relaxed);
  if (name == nullptr)
    return report_stall(what.empty() ? "another process" : what, reported.waited);
  print_stall(fmt::format("seam: rank {} has waited for {:.3g} s in {}{}{}",
                          mpi::comm_view(MPI_COMM_WORLD).rank(), reported.waited.count(), name,
                          what.empty() ? "" : ": ", what));
}

} // namespace

std::optional<stall_time> wished_time_before_report() {
  double const now = wished_seconds();
  return now == never || now == no_wish ? std::nullopt : std::optional(stall_time(now));
}

std::optional<stall_time> time_before_report() {
  if (wished_seconds() == no_wish && checks_are_on())
    return stall_time(in_checked_mode);
  return wished_time_before_report();
}

void set_time_before_report(std::optional<stall_time> after) noexcept {
  seconds.store(after ? after->count() : no_wish);
}

void print_stall(std::string const& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

void report_stall(std::string const& what, stall_time waited) {
  print_stall(fmt::format("seam: rank {} has waited for {:.3g} s: {}",
                          mpi::comm_view(MPI_COMM_WORLD).rank(), waited.count(), what));
}

void look_at_wait(stall_time waited) noexcept {
  if (is_watched() || has_left())
    return;
  try {
    auto const limit = time_before_report();
    thread_calls& calls = calls_of_this_thread();
    if (!limit || waited < *limit || reported.wait == calls.wait.load(std::memory_order_relaxed))
      return;
    reported.waited = waited;
    if (!calls.text_is_wanted.exchange(true, std::memory_order_relaxed))
      return; // the loop that waits may know more
    calls.text_is_wanted.store(false, std::memory_order_relaxed);
    report_alone(calls, "");
  } catch (...) { // without memory there is no report
  }
}

void stall_watch::tell(std::string what) {
  bool const is_alone = !is_watched();
  if (is_alone)
    report_alone(calls_, what);
  calls_.take_text(is_alone ? std::string() : std::move(what));
}

} // namespace seam
