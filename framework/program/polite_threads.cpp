#include <seam/framework/program/polite_threads.hpp>

#include <Kokkos_Core.hpp>

#include <cstdlib>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>

// A function of LLVM's OpenMP library that GCC's does not have.
extern "C" void kmp_set_blocktime(int milliseconds) __attribute__((weak));
#endif

namespace seam::detail {
namespace {

bool environment_says_how_to_wait() {
  for (char const* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"})
    if (std::getenv(name) != nullptr)
      return true;
  return false;
}

} // namespace

#ifdef KOKKOS_ENABLE_OPENMP

int num_hardware_threads() { return omp_get_num_procs(); }

polite_threads::polite_threads(int ranks) {
  constexpr int most_on_node = 1024;
  int const missing = num_hardware_threads() + 1 - omp_get_max_threads();
  if (environment_says_how_to_wait()) {
    kind_ = politeness::by_user;
  } else if (kmp_set_blocktime != nullptr) {
    kmp_set_blocktime(0);
    kind_ = politeness::by_seam;
  } else if (missing * ranks <= most_on_node) {
    keep_asleep(missing);
    kind_ = politeness::by_seam;
  }
}

/// Creates a team of `number` sleeping OpenMP threads beside those that compute.
void polite_threads::keep_asleep(int number) {
  if (number <= 0)
    return;
  std::atomic<bool> team_exists = false;
  sleeper_ = std::thread([this, &team_exists, number] {
    std::atomic<int> count = 0; // keeps the compiler from removing a loop without effect
#pragma omp parallel num_threads(number + 1)
    count.fetch_add(1, std::memory_order_relaxed);
    team_exists = true;
    team_exists.notify_one();
    ends_.wait(false);
  });
  team_exists.wait(false);
}

#else

int num_hardware_threads() { return static_cast<int>(std::thread::hardware_concurrency()); }

polite_threads::polite_threads(int)
    : kind_(environment_says_how_to_wait() ? politeness::by_user : politeness::none) {}

#endif

polite_threads::~polite_threads() {
  ends_ = true;
  ends_.notify_one();
  if (sleeper_.joinable())
    sleeper_.join();
}

} // namespace seam::detail
