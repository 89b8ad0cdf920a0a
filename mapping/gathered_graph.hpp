/// Gathers the graph of a communicator on rank 0, from the edges of each process.
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/mapping/detail/weighted_graph.hpp>

namespace seam::detail {

/// The edges that leave all processes, on rank 0; an empty graph elsewhere. Edges that lead nowhere
/// are left out.
/// @throws usage_error  there are 2^31 edges or more (on all ranks)
/// Collective: over `over`, whose ranks the edges name.
weighted_graph gather_graph(mpi::comm_view over, Topology const& topology);

} // namespace seam::detail
