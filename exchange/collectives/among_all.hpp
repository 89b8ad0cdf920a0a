/// Collectives among all processes of a communicator: who carries out what the MPI library could,
/// and how it is waited for.
#pragma once

#include <seam/exchange/collectives/collective.hpp>

namespace seam {

/// True if processes exchange the blocks of `what` directly, by seam's own plan, and not by the MPI
/// library: few that share the memory of one node do, as long as trees would not save bytes. The
/// same on all ranks. Never on graphs, which nobody else plans for, and bipartite communicators.
/// Collective: over `over`, the first time; local from then on.
bool goes_directly(Communicator const& over, collective const& what);

/// True if blocking calls of the MPI library may be waited in: no rank wanted reports of stalls
/// (stall.hpp) when this was first asked for. Collective: over `over`, the first time; local from
/// then on.
bool may_block(Communicator const& over);

} // namespace seam
