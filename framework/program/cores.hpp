/// Cores: how many threads a process may use without taking cores from other ranks of its node.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <algorithm>

namespace seam::detail {

/// The cores that a process may run on, and with how many ranks it shares them.
struct core_share {
  int cores = 1; ///< of the node if the process is not bound, else those it is bound to
  int ranks = 1; ///< on the node that may run on the same cores, the process itself included

  int threads() const noexcept { return std::max(1, cores / ranks); }
};

/// This process's share, as hwloc sees it. Without hwloc's knowledge, one core.
/// Collective: over `node`, the ranks that share memory.
core_share find_core_share(mpi::comm_view node);

} // namespace seam::detail
