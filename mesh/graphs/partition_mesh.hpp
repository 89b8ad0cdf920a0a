/// Partition of a mesh: assigns each cell to a part, by any method.
///
///     auto const cells2ranks = partition(mesh, mesh.base().size(), partition_method::scotch);
///     mesh = migrate(mesh, cells2ranks, u, v);
#pragma once

#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/graphs/distributed_graph.hpp>
#include <seam/mesh/partition/partition.hpp>

#include <span>
#include <vector>

namespace seam {

/// The centers of own cells with their ids. Trailing axes on which all centers are 0 are left out.
/// @param weights  [mesh.cells().num_owned] or empty
/// Collective: over mesh.base().
point_set cell_centers(Mesh const& mesh, std::span<double const> weights = {});

/// The part of each own cell, 0 to num_parts - 1. [mesh.cells().num_owned]
///
/// The geometric methods divide the cells' centers, and their parts do not depend on ranks;
/// partition_method::scotch divides the graph of cells that share sides (see
/// partition_by_scotch()).
/// @param num_parts  at least 1; unrelated to the number of ranks
/// @param weights    [mesh.cells().num_owned] at least 0; or empty on all ranks
/// @throws usage_error  as partition() of points (the same line on all ranks)
/// Collective: over mesh.base().
std::vector<int> partition(Mesh const& mesh, int num_parts, partition_method method,
                           std::span<double const> weights = {});

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
