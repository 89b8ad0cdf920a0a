#include <seam/framework/program/polite_threads.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <Kokkos_Core.hpp>
#include <hwloc.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>

// A function of LLVM's OpenMP library that GCC's does not have.
extern "C" void kmp_set_blocktime(int milliseconds) __attribute__((weak));
#endif

namespace seam::detail {
namespace {

struct hwloc_deleter {
  void operator()(hwloc_topology_t machine) const noexcept { hwloc_topology_destroy(machine); }
  void operator()(hwloc_bitmap_t set) const noexcept { hwloc_bitmap_free(set); }
};
using machine_handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, hwloc_deleter>;
using bitmap_handle = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, hwloc_deleter>;

/// Loads the cores and hardware threads of this node; empty if hwloc fails.
machine_handle load_machine() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0)
    return {};
  machine_handle machine(raw);
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
  return hwloc_topology_load(raw) == 0 ? std::move(machine) : machine_handle();
}

/// The hardware threads that this process may run on.
bitmap_handle usable_by_process(hwloc_topology_t machine) {
  bitmap_handle usable(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(machine)));
  bitmap_handle const bound(hwloc_bitmap_alloc());
  if (hwloc_get_cpubind(machine, bound.get(), HWLOC_CPUBIND_PROCESS) == 0)
    hwloc_bitmap_and(usable.get(), usable.get(), bound.get());
  return usable;
}

int count(hwloc_topology_t machine, hwloc_obj_type_t kind, hwloc_const_bitmap_t inside) {
  int number = 0;
  hwloc_obj_t found = nullptr;
  while ((found = hwloc_get_next_obj_covering_cpuset_by_type(machine, inside, kind, found)))
    ++number;
  return number;
}

int count_cores(hwloc_topology_t machine, hwloc_const_bitmap_t inside) {
  int const cores = count(machine, HWLOC_OBJ_CORE, inside);
  return std::max(1, cores > 0 ? cores : count(machine, HWLOC_OBJ_PU, inside));
}

/// A number that is equal for equal sets.
std::uint64_t fingerprint(hwloc_const_bitmap_t set) {
  char* raw = nullptr;
  if (hwloc_bitmap_asprintf(&raw, set) < 0)
    return 0;
  std::unique_ptr<char, decltype(&std::free)> const text(raw, &std::free);
  return std::hash<std::string>()(text.get());
}

} // namespace

core_share find_core_share(mpi::comm_view node) {
  core_share share;
  std::uint64_t own_set = 0;
  if (machine_handle const machine = load_machine()) {
    bitmap_handle const usable = usable_by_process(machine.get());
    share.cores = count_cores(machine.get(), usable.get());
    own_set = fingerprint(usable.get());
  }
  auto const sets = mpi::allgather(node, own_set);
  share.ranks = static_cast<int>(std::ranges::count(sets, own_set));
  return share;
}

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
