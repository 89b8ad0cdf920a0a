/// Comparison of a graph's edges between the processes at both ends.
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/mpi/comm.hpp>

namespace seam::detail {

/// Returns if both ends of each edge between processes of `over` list it with the same weight.
///
/// @param graph  this process's edges; ranks are those of `over`, which is not bipartite
/// @throws usage_error  an edge is listed only at one end: the same line on all ranks
/// Collective: over `over`.
/// Cost: one alltoall of 64 bytes for each pair of processes.
void require_matching_edges(mpi::comm_view over, Topology const& graph);

} // namespace seam::detail
