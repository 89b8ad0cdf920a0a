/// Cores: how many threads a process may use without taking cores from other ranks of its node.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <algorithm>

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

} // namespace seam::detail
