/// Polite threads: how OpenMP's threads wait for the next loop where more of them run on a node
/// than it has cores.
#pragma once

#include <atomic>
#include <thread>

namespace seam::detail {

/// Threads that the processor runs at a time for this process: as many as cores, or more. Local.
int num_hardware_threads();

/// Whether threads of `ranks` that share `hardware_threads` are more of them, and wait for loops.
constexpr bool are_crowded(int ranks, int num_threads, int hardware_threads) noexcept {
  return num_threads > 1 && ranks * num_threads > hardware_threads;
}

/// How threads that wait for the next loop give their cores away.
enum class politeness {
  none,    ///< they do not: OMP_WAIT_POLICY=passive would help
  by_user, ///< as the environment says, be it so or otherwise
  by_seam  ///< soon, as long as a polite_threads lives
};

/// Makes OpenMP's threads sleep soon when they have nothing to do, for as long as it lives.
///
/// GCC's library lets a thread look 300,000 times for work before it sleeps: milliseconds in which
/// it keeps the core from other ranks' threads. It looks but 100 times where its process has more
/// OpenMP threads than there are cores for it (GOMP_SPINCOUNT in its manual), but it does not know
/// of other processes. So this keeps as many sleeping threads as its count needs. LLVM's library
/// is told to let threads sleep at once.
class polite_threads {
public:
  /// @param ranks  that share the cores: each keeps threads, of which there are to be no thousands
  /// To be called by the thread that starts loops, after the first loop. Local.
  explicit polite_threads(int ranks);
  polite_threads(polite_threads const&) = delete;
  polite_threads& operator=(polite_threads const&) = delete;
  ~polite_threads();

  politeness kind() const noexcept { return kind_; }

private:
  void keep_asleep(int number);

  politeness kind_ = politeness::none;
  std::atomic<bool> ends_ = false;
  std::thread sleeper_; ///< with a team of its own, which sleeps with it
};

} // namespace seam::detail
