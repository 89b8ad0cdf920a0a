#include <seam/exchange/waiting/stall.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>

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
constinit std::atomic<double> seconds = unknown, in_release = 60;

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

} // namespace

std::optional<stall_time> wished_time_before_report() {
  double const now = wished_seconds();
  return now == never || now == no_wish ? std::nullopt : std::optional(stall_time(now));
}

std::optional<stall_time> time_before_report() {
  if (wished_seconds() == no_wish)
    return stall_time(checks_are_on() ? in_checked_mode : in_release.load());
  return wished_time_before_report();
}

bool stalls_are_explained() {
  return wished_time_before_report() || (wished_seconds() == no_wish && checks_are_on());
}

void set_time_before_report(std::optional<stall_time> after) noexcept {
  seconds.store(after ? after->count() : no_wish);
}

void report_stall(std::string const& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
  if (!stalls_are_explained())
    in_release = 2 * in_release;
}

void stall_watch::tell(std::string what) { calls_.take_text(std::move(what)); }

} // namespace seam
