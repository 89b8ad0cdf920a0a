/// Edge lists: graphs of which any process may name any edges.
///
///     std::vector<listed_edge> const all = rank == 0 ? read_graph() : std::vector<listed_edge>{};
///     auto graph = make_graph(world, topology_from(world, all));
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <span>

namespace seam {

/// A directed edge, of whichever processes.
struct listed_edge {
  int source, destination;
  int weight = 1;
};

/// This process's part of the graph of all edges that the processes of `over` list: what rank 0
/// lists comes first in the order of its edges, then what rank 1 lists, and so on.
///
/// @param edges  of any processes, also none; an edge that is listed twice is two edges
/// @throws usage_error  an end is no rank of `over`, or a weight is negative (on all ranks)
/// Collective: over `over`. Cost: one sparse exchange.
/// Source: [Traeff2021] sec. 2: MPI_Dist_graph_create.
Topology topology_from(Communicator const& over, std::span<listed_edge const> edges);

} // namespace seam
