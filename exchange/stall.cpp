#include <seam/exchange/stall.hpp>

#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace seam {
namespace {

constexpr double unknown = -1, never = std::numeric_limits<double>::infinity();
constinit std::atomic<double> seconds = unknown;

double first_time() {
  char const* const text = std::getenv("SEAM_DEBUG_STALL");
  if (text == nullptr)
    return never;
  char* end = nullptr;
  double const wish = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(wish > 0))
    refuse(fmt::format("SEAM_DEBUG_STALL '{}' (expected a number of seconds)", text));
  return wish;
}

} // namespace

std::optional<stall_time> time_before_report() {
  double now = seconds.load(std::memory_order_relaxed);
  if (now == unknown) {
    now = first_time();
    seconds.store(now, std::memory_order_relaxed);
  }
  return now == never ? std::nullopt : std::optional(stall_time(now));
}

void set_time_before_report(std::optional<stall_time> after) noexcept {
  seconds.store(after ? after->count() : never);
}

void report_stall(std::string const& what, stall_time waited) {
  int const rank = mpi::comm_view(MPI_COMM_WORLD).rank();
  std::fprintf(
      stderr, "%s\n",
      fmt::format("seam: rank {} has waited for {:.3g} s: {}", rank, waited.count(), what).c_str());
}

} // namespace seam
