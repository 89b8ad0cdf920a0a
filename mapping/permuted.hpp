/// Permuted communicators: the same processes with other ranks, and the transfer of each rank's
/// edges to the process that has the rank from now on.
///
///     new2old = {2, 0, 1}      old rank  0  1  2
///                              new rank  1  2  0
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <vector>

namespace seam::detail {

/// The processes of `over`, fully connected: rank k is the process that had rank new2old[k].
///
/// @param new2old  [over.size()], the same permutation on all ranks
/// Collective: over `over`.
/// Cost: an MPI_Comm_split, since MPI libraries ignore their reorder flag.
Communicator permuted(Communicator const& over, std::vector<int> const& new2old);

/// Brings each rank's edges to the process that has the rank from now on, in their order.
///
/// @param topology  the edges for this process's rank in `over`
/// Collective: over `over`.
Topology handed_over(mpi::comm_view over, Topology const& topology,
                     std::vector<int> const& new2old);

} // namespace seam::detail
