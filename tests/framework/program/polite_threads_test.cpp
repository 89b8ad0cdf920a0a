// Threads of OpenMP that wait for the next loop: they sleep soon where a node has more of them than
// cores.
#include <seam/framework/program/polite_threads.hpp>

#include <support/catch.hpp>

#include <omp.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

using namespace seam;
using namespace seam::detail;

namespace {

/// How often threads of this process have gone to sleep, other than the calling one.
long num_sleeps_of_others() {
  rusage all{}, own{};
  getrusage(RUSAGE_SELF, &all);
  getrusage(RUSAGE_THREAD, &own);
  return all.ru_nvcsw - own.ru_nvcsw;
}

/// Loops by two threads, with pauses in which one of them has nothing to do.
void run_loops(int number) {
  std::atomic<int> visits = 0; // the compiler leaves out loops that do nothing
  for (int k = 0; k < number; ++k) {
#pragma omp parallel num_threads(2)
    visits.fetch_add(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace

TEST_CASE("threads are crowded if ranks that share cores have more of them") {
  CHECK_FALSE(detail::are_crowded(2, 2, 4));
  CHECK(detail::are_crowded(3, 2, 4));
  CHECK(detail::are_crowded(1, 2, 1));
  CHECK_FALSE(detail::are_crowded(3, 1, 2)); // none waits for a loop
}

TEST_CASE("an idle thread sleeps between loops while others need its core") {
  constexpr int number = 100;
  run_loops(3);
  detail::polite_threads const polite(2);
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) {
    CHECK(polite.kind() == detail::politeness::by_user);
    return;
  }
  REQUIRE(polite.kind() == detail::politeness::by_seam);
  run_loops(3);
  long const before = num_sleeps_of_others();
  run_loops(number);
  CHECK(num_sleeps_of_others() - before > number / 2);
}

TEST_CASE("ranks that would have to keep thousands of threads are to be told what helps") {
  constexpr int ranks = 100'000;
  if (std::getenv("OMP_WAIT_POLICY") == nullptr &&
      detail::num_hardware_threads() >= omp_get_max_threads())
    CHECK(detail::polite_threads(ranks).kind() == detail::politeness::none);
}
