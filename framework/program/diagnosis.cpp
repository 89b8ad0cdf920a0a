#include <seam/framework/program/diagnosis.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/framework/program/polite_threads.hpp>

#include <Kokkos_Core.hpp>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

using steady = std::chrono::steady_clock;

/// Waits for both requests. Returns false if one fails or is not complete by `end`.
bool complete(std::array<MPI_Request, 2>& requests, steady::time_point end) {
  for (int done = 0; done == 0; std::this_thread::yield()) {
    if (MPI_Testall(2, requests.data(), &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
      return false;
    if (done == 0 && steady::now() > end)
      return false;
  }
  return true;
}

/// The messages of one thread around the ring of all ranks, with a tag of its own. The caller keeps
/// the object, and so its buffers, as long as a message that did not arrive may still be received.
class ring_of_thread {
public:
  ring_of_thread(mpi::comm_view over, int tag) : over_(over), tag_(tag) {}

  bool run(steady::time_point end) {
    constexpr int rounds = 50;
    int const size = over_.size(), before = (over_.rank() + size - 1) % size;
    for (int round = 0; round < rounds; ++round) {
      if (steady::now() > end)
        return false;
      send_.fill(over_.rank() * rounds + round);
      if (!exchange(before, (over_.rank() + 1) % size, end))
        return false;
      int const expected = before * rounds + round;
      if (std::ranges::count(receive_, expected) != std::ssize(receive_))
        return false;
    }
    return true;
  }

private:
  bool exchange(int from, int to, steady::time_point end) {
    int const length = static_cast<int>(send_.size());
    std::array requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    return MPI_Irecv(receive_.data(), length, MPI_INT, from, tag_, over_.native(), &requests[0]) ==
               MPI_SUCCESS &&
           MPI_Isend(send_.data(), length, MPI_INT, to, tag_, over_.native(), &requests[1]) ==
               MPI_SUCCESS &&
           complete(requests, end);
  }

  mpi::comm_view over_;
  int tag_;
  std::array<int, 256> send_{}, receive_{};
};

} // namespace

bool threads_may_call_together(mpi::comm_view over, int num_threads,
                               std::chrono::milliseconds limit) {
  auto const own = mpi::dup(over);
  // Keeps the rings of a failed trial to the end of the program: MPI may still write to them.
  static std::vector<std::unique_ptr<std::vector<ring_of_thread>>> unfinished;
  auto rings = std::make_unique<std::vector<ring_of_thread>>();
  for (int tag = 0; tag < num_threads; ++tag)
    rings->emplace_back(own, tag);
  std::atomic<int> failures = 0;
  auto const end = steady::now() + limit;
  std::vector<std::thread> threads;
  for (ring_of_thread& ring : *rings)
    threads.emplace_back([&] { failures += ring.run(end) ? 0 : 1; });
  for (std::thread& thread : threads)
    thread.join();
  bool const good = mpi::allreduce(over, failures.load(), MPI_MAX) == 0;
  if (!good) {
    unfinished.push_back(std::move(rings));
    mpi::keep_for_ever(own);
  }
  return good;
}

} // namespace seam::detail

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace seam {
using namespace detail;

namespace {

/// Facts about all ranks, the same on each, and the node of this one.
struct facts {
  explicit facts(Runtime const& runtime)
      : node(mpi::split_shared(runtime.world())), share(detail::find_core_share(node)) {
    auto const all = [&](int value, MPI_Op op) {
      return mpi::allreduce(runtime.world().context(), value, op);
    };
    auto const cores_online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    most_ranks_of_node = all(mpi::comm_view(node).size(), MPI_MAX);
    is_bound_everywhere = all(share.cores < cores_online ? 1 : 0, MPI_MIN) == 1;
    threads_of_crowd = all(share.ranks * runtime.num_threads(), MPI_MAX);
    fewest_cores = all(share.cores, MPI_MIN);
    most_threads = all(runtime.num_threads(), MPI_MAX);
    is_crowded = all(share.ranks * runtime.num_threads() > share.cores ? 1 : 0, MPI_MAX) == 1;
  }

  mpi::comm node;
  detail::core_share share;
  int most_ranks_of_node, threads_of_crowd, fewest_cores, most_threads;
  bool is_bound_everywhere, is_crowded;
};

finding good(std::string topic, std::string state) {
  return {std::move(topic), std::move(state), true, {}};
}

finding threads_of_mpi(Runtime const& runtime, std::chrono::milliseconds limit) {
  constexpr int num_threads = 4;
  std::string const topic = "MPI threads";
  if (int const level = mpi::thread_level(); level < MPI_THREAD_MULTIPLE)
    return {topic,
            fmt::format("{}: operations make no progress while a program computes, and only one "
                        "thread at a time may call seam",
                        mpi::name_of_thread_level(level)),
            false, "use an MPI library with MPI_THREAD_MULTIPLE, and no lower SEAM_THREAD_LEVEL"};
  if (detail::threads_may_call_together(runtime, num_threads, limit))
    return good(topic, fmt::format("MPI_THREAD_MULTIPLE: {} threads of each rank exchanged at once",
                                   num_threads));
  return {topic, "MPI_THREAD_MULTIPLE, but messages of threads were late, lost or changed", false,
          "use a newer MPI library; until then OMP_NUM_THREADS=1"};
}

/// True if MPI allocates shared memory on every node.
/// Collective: over the runtime's world.
bool has_shared_windows(Runtime const& runtime, facts const& known) {
  constexpr MPI_Aint bytes = 4096;
  void* memory = nullptr;
  mpi::win window;
  MPI_Comm comm = known.node.native();
  bool const made =
      MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, comm, static_cast<void*>(&memory),
                              window.receive()) == MPI_SUCCESS;
  return mpi::allreduce(runtime.world().context(), made ? 1 : 0, MPI_MIN) == 1;
}

finding shared_memory(Runtime const& runtime, facts const& known) {
  std::string const topic = "shared memory";
  bool const works = has_shared_windows(runtime, known);
  std::error_code failure;
  auto const space = std::filesystem::space("/dev/shm", failure);
  double const free_gib = failure ? 0 : static_cast<double>(space.available) / (1 << 30);
  auto const state = fmt::format("{} ranks of a node share memory; {:.1f} GiB free for it",
                                 known.most_ranks_of_node, free_gib);
  if (known.most_ranks_of_node == 1)
    return good(topic, "one rank on each node needs none");
  if (!works)
    return {topic, "MPI_Win_allocate_shared fails", false, "make /dev/shm larger, or writable"};
  if (free_gib < 1)
    return {topic, state, false, "make /dev/shm larger (in containers: --shm-size)"};
  return good(topic, state);
}

finding single_copies() {
  std::string const topic = "large messages";
  std::ifstream scope("/proc/sys/kernel/yama/ptrace_scope");
  int restriction = 0;
  if (scope >> restriction && restriction > 0)
    return {topic, "processes may not read each other's memory", false,
            "sysctl kernel.yama.ptrace_scope=0, so that MPI copies once inside a node"};
  return good(topic, "MPI may copy once between processes of a node");
}

finding partitioned() {
  int major = 0, minor = 0;
  MPI_Get_version(&major, &minor);
  // Some libraries that report an older version of MPI have MPI_Psend_init.
  bool const is_native = dlsym(RTLD_DEFAULT, "MPI_Psend_init") != nullptr;
  return good("partitioned communication",
              fmt::format("seam's own; the MPI library ({}.{}) has {}MPI_Psend_init", major, minor,
                          is_native ? "" : "no "));
}

finding devices() {
  std::string const topic = "devices";
  if constexpr (std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>)
    return good(topic, "Kokkos has no device backend, and needs no GPU-aware MPI");
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (MPIX_Query_cuda_support() == 1)
    return good(topic, "MPI takes memory of GPUs");
#endif
  return {topic, "MPI does not take memory of GPUs", false, "use a GPU-aware MPI"};
}

/// What binds each rank to as many cores as it has threads, in the words of the MPI library's
/// launcher.
#if defined(MPICH_NUMVERSION)
constexpr auto binding = "mpiexec -bind-to core:{}, OMP_PROC_BIND=close";
#else
constexpr auto binding = "mpiexec --map-by slot:PE={} --bind-to core, OMP_PROC_BIND=close";
#endif

finding pinning(facts const& known) {
  std::string const topic = "pinning";
  if (known.is_bound_everywhere)
    return good(topic, fmt::format("each rank is bound to {} core{} or more", known.fewest_cores,
                                   known.fewest_cores == 1 ? "" : "s"));
  if (known.most_ranks_of_node == 1 && known.most_threads == 1)
    return good(topic, "one thread has the node to itself");
  return {topic, "ranks are not bound, and may move between cores", false,
          known.most_threads > 1 ? fmt::format(binding, known.most_threads)
                                 : "mpiexec --bind-to core"};
}

finding oversubscription(facts const& known) {
  std::string const topic = "oversubscription";
  if (!known.is_crowded)
    return good(topic, "every thread has a core");
  return {topic,
          fmt::format("up to {} threads on {} core{}", known.threads_of_crowd, known.fewest_cores,
                      known.fewest_cores == 1 ? "" : "s"),
          false, "start fewer ranks, or set OMP_NUM_THREADS lower"};
}

finding checked_mode() {
  std::string const topic = "checked mode";
  if (!checks_are_on())
    return good(topic, "off");
  return {topic, "on: collective calls compare what ranks are about to do", false,
          "--checks off or SEAM_CHECKS=off for production runs"};
}

} // namespace

std::vector<finding> diagnose(Runtime const& runtime, std::chrono::milliseconds limit_of_threads) {
  facts const known(runtime);
  return {threads_of_mpi(runtime, limit_of_threads),
          shared_memory(runtime, known),
          single_copies(),
          partitioned(),
          devices(),
          pinning(known),
          oversubscription(known),
          checked_mode()};
}

} // namespace seam
