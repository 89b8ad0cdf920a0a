#include <seam/exchange/waiting/detail/patience.hpp>

#include <ctime>
#include <sched.h>
#include <sys/resource.h>

#include <utility>

namespace seam::detail {
namespace {

/// A yield in which another thread runs takes longer.
constexpr std::chrono::microseconds shortest_switch{1};

/// True if another thread has run in place of this one since the last call. The first call of a
/// thread may say so in error.
bool others_have_run() noexcept {
  thread_local long last_switches = 0;
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  long const switches = used.ru_nvcsw + used.ru_nivcsw;
  return std::exchange(last_switches, switches) != switches;
}

} // namespace

void patience::yield(clock::time_point now) noexcept {
  sched_yield();
  bool const is_crowded = clock::now() - now > shortest_switch && others_have_run();
  is_crowded_.store(is_crowded, std::memory_order_relaxed);
}

void patience::sleep() noexcept {
  constexpr timespec nap{.tv_sec = 0, .tv_nsec = 50'000};
  nanosleep(&nap, nullptr);
}

} // namespace seam::detail
