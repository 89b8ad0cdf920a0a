/// Mappings by Scotch onto all levels of a machine at once (divide_by_scotch() maps onto one
/// level), and by PT-Scotch for graphs that are divided over processes.
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/mapping/machine.hpp>
#include <seam/mapping/strategies/division.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam::detail {

/// Fills all places of a machine at once, by Scotch's static mapping onto its tree. Returns nothing
/// if the tree differs between parts of a level, or has only one level.
/// Local, deterministic.
std::optional<filling> divide_by_scotch_at_once(weighted_graph const& graph,
                                                machine const& cluster);

/// A graph in compressed rows, whose vertices are divided over ranks and numbered rank by rank.
struct graph_rows {
  std::span<std::int64_t const> vertices2edges; ///< [number of own vertices + 1] -> edges
  std::span<std::int64_t const> edges2vertices; ///< the vertex at the other end, of any rank
  std::span<std::int64_t const> vertex_weights; ///< [own vertices], or empty on all ranks
  std::span<std::int64_t const> edge_weights;   ///< [edges], or empty on all ranks
};

/// The part that Scotch puts each own vertex into. [number of own vertices]
///
/// PT-Scotch divides the graph where it is built with this MPI library and ranks are processes;
/// otherwise rank 0 gathers the graph. Weights of parts are in proportion to `sizes`, about 2 % more
/// or less. The same number of ranks with the same rows gets the same result from each of the two.
/// @param rows   edges from both of their ends, with the same weight
/// @param sizes  [number of parts] at least 1; the same on all ranks
/// @throws usage_error  Scotch fails, as on edges that differ at their ends, or the graph is too
///         large for its numbers (on all ranks)
/// Collective: over `over`.
std::vector<int> parts_by_scotch(mpi::comm_view over, graph_rows const& rows,
                                 std::span<int const> sizes);
std::vector<int> parts_by_pt_scotch(mpi::comm_view over, graph_rows const& rows,
                                    std::span<int const> sizes);
std::vector<int> parts_by_gathered_scotch(mpi::comm_view over, graph_rows const& rows,
                                          std::span<int const> sizes);

/// The node to which PT-Scotch assigns the calling rank. Nodes are not filled exactly. PT-Scotch
/// (version 7.0) has no mapping onto trees, so the levels inside nodes are not considered.
///
/// @param topology  this rank's edges, whose weights are the same at both ends
/// @throws usage_error  PT-Scotch fails, as on edges that differ at their ends (on all ranks)
/// Collective: over `over`, which has as many ranks as there are places.
int node_by_scotch(mpi::comm_view over, Topology const& topology, machine const& cluster);

} // namespace seam::detail
