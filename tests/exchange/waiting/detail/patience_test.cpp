// Waits yield the core after each look while other threads want it, and not because yields are slow.
#include <seam/exchange/waiting/detail/patience.hpp>

#include <support/catch.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

std::atomic<int> num_yields = 0;

/// Whether a yield sleeps, so that another thread may run; else it keeps the core.
std::atomic<bool> gives_core_away = false;

} // namespace

/// In place of the C library's: a yield that takes as long as in some virtual machines.
extern "C" int sched_yield() noexcept {
  using clock = std::chrono::steady_clock;
  ++num_yields;
  if (gives_core_away)
    std::this_thread::sleep_for(std::chrono::microseconds(5)); // another thread, or none, runs
  else
    for (auto const end = clock::now() + std::chrono::microseconds(5); clock::now() < end;) {
    }
  return 0;
}

namespace {

constexpr int num_looks = 20'000;

int yields_of_a_wait() {
  num_yields = 0;
  seam::detail::patience wait;
  for (int look = 0; look < num_looks; ++look)
    wait.pause();
  return num_yields;
}

} // namespace

TEST_CASE("yields that take long although no other thread runs do not make waits yield more") {
  gives_core_away = false;
  int const yields = yields_of_a_wait();
  CHECK(yields > 0);
  CHECK(yields < num_looks / 10);
}

TEST_CASE("a wait yields after each look while others take the core") {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds before_sleep{15};
  gives_core_away = true;
  bool was_in_time = false;
  while (!was_in_time) { // else the machine has taken the core for too long
    num_yields = 0;
    auto const begin = clock::now();
    seam::detail::patience wait;
    while (num_yields < 2)
      wait.pause();
    for (int look = 0; look < 3; ++look)
      wait.pause();
    was_in_time = clock::now() - begin < before_sleep;
  }
  CHECK(num_yields == 5);
  gives_core_away = false;
}
