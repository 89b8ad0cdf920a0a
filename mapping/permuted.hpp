/// Permuted communicators: the same processes with other ranks, and how what belongs to a rank gets
/// to the process that has it from now on.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <vector>

namespace seam {

/// The processes of `over`, fully connected: rank k is the one that had new2old[k].
///
/// @param new2old  [over.size()], the same permutation on all ranks
/// Collective: over `over`. It is a split: MPI libraries do nothing for their reorder flag.
Communicator permuted(Communicator const& over, std::vector<int> const& new2old);

/// The edges that were given for the rank that this process has from now on, in their order.
///
/// @param topology  the edges for this process's rank in `over`
/// Collective: over `over`.
Topology handed_over(mpi::comm_view over, Topology const& topology,
                     std::vector<int> const& new2old);

} // namespace seam
