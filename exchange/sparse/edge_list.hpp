/// Edge lists: graphs whose edges any process may list, also edges between other processes.
///
///     std::vector<listed_edge> const all = rank == 0 ? read_graph() : std::vector<listed_edge>{};
///     auto graph = make_graph(world, topology_from(world, all));
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <span>

namespace seam {

/// A directed edge between any two processes.
struct listed_edge {
  int source, destination;
  int weight = 1;
};

/// Returns this process's edges in the graph of all edges that the processes of `over` list: first
/// the edges that rank 0 lists, in its order, then those that rank 1 lists, and so on.
///
/// @param edges  [any number] between any processes; an edge that is listed twice is two edges
/// @throws usage_error  an end is no rank of `over`, or a weight is negative (on all ranks)
/// Collective: over `over`.
/// Cost: one sparse exchange.
/// Source: [Traeff2021] sec. 2: MPI_Dist_graph_create.
Topology topology_from(Communicator const& over, std::span<listed_edge const> edges);

} // namespace seam
