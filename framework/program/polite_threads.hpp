/// Polite threads: how many cores a process may use without taking them from other ranks of its node;
/// lets OpenMP's threads sleep between loops where a node runs more of them than it has cores.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

namespace seam::detail {

/// The number of cores that a process may run on, and of ranks that share them.
struct core_share {
  int cores = 1; ///< cores of the node if the process is not bound, else those it is bound to
  int ranks = 1; ///< ranks that may run on the same cores, the process itself included

  int threads() const noexcept { return std::max(1, cores / ranks); }
};

/// Finds this process's share by hwloc; where hwloc fails, one core.
/// Collective: over `node`, the ranks that share memory.
core_share find_core_share(mpi::comm_view node);

/// Number of hardware threads that this process may run on, at least one per core.
/// Local.
int num_hardware_threads();

/// True if ranks have several threads each and more in all than the `hardware_threads` they share.
constexpr bool are_crowded(int ranks, int num_threads, int hardware_threads) noexcept {
  return num_threads > 1 && ranks * num_threads > hardware_threads;
}

/// How threads that wait for the next loop yield their cores.
enum class politeness {
  none,    ///< they keep spinning: OMP_WAIT_POLICY=passive would help
  by_user, ///< the environment says whether threads spin or sleep
  by_seam  ///< they sleep soon, as long as a polite_threads lives
};

/// Makes idle OpenMP threads sleep soon, for as long as it lives.
///
/// GCC's library polls 300,000 times for work before a thread sleeps: milliseconds in which it
/// keeps the core from other ranks' threads. It polls only 100 times if its process has more OpenMP
/// threads than cores (GOMP_SPINCOUNT in its manual), but it does not count other processes'
/// threads. This class therefore keeps as many additional sleeping threads as that rule needs.
/// LLVM's library is told to let threads sleep at once.
class polite_threads {
public:
  /// @param ranks  number of ranks that share the cores; above 1024 additional threads in all, none
  ///               are made
  /// Local.
  /// Threads: the one that starts loops, after the first loop.
  explicit polite_threads(int ranks);
  polite_threads(polite_threads const&) = delete;
  polite_threads& operator=(polite_threads const&) = delete;
  ~polite_threads();

  politeness kind() const noexcept { return kind_; }

private:
  void keep_asleep(int number);

  politeness kind_ = politeness::none;
  std::atomic<bool> ends_ = false;
  std::thread sleeper_; ///< owns the team of sleeping threads
};

} // namespace seam::detail
