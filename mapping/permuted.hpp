/// Permuted communicators: the same processes with other ranks, and the transfer of each rank's
/// edges to the process that has the rank from now on.
///
///     old rank   0  1  2
///     new rank   1  2  0
///     successor  2  0  1
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

namespace seam::detail {

/// How a new order of ranks affects this process.
struct rank_change {
  int new_rank;  ///< of this process
  int successor; ///< old rank of the process that has this process's old rank from now on
};

/// The processes of `over`, fully connected, each with its new rank.
/// Collective: over `over`.
/// Cost: an MPI_Comm_split, since MPI libraries ignore their reorder flag.
Communicator permuted(Communicator const& over, rank_change own);

/// Brings each rank's edges to the process that has the rank from now on, in their order.
///
/// @param topology  the edges for this process's rank in `over`
/// Collective: over `over`.
Topology handed_over(mpi::comm_view over, Topology const& topology, rank_change own);

} // namespace seam::detail
