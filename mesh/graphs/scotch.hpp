/// Scotch: partition of a graph by PT-Scotch.
#pragma once

#include <seam/mesh/graphs/distributed_graph.hpp>

#include <span>
#include <vector>

namespace seam {

/// The part of each of this rank's nodes, 0 to num_parts - 1, so that few edges lead from part to
/// part. [graph.num_nodes()]
///
/// Parts have equal weights, about 2 % more or less; with few nodes some parts may be empty.
/// PT-Scotch gets the nodes in the order of their ids, however they are divided over ranks: the
/// result depends only on the graph and on the number of ranks.
/// @param num_parts  at least 1; unrelated to the number of ranks
/// @param weights    [graph.num_nodes()] finite, at least 0; or empty on all ranks: all the same
/// @throws usage_error  num_parts is below 1 or differs between ranks; weights have a wrong length
///         or value; PT-Scotch fails (on all ranks)
/// Collective: over `over`.
std::vector<int> partition_by_scotch(Communicator const& over, distributed_graph const& graph,
                                     int num_parts, std::span<double const> weights = {});

} // namespace seam
