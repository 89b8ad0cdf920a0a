/// Scotch's mapping onto a whole machine, beside divide_by_scotch() for one level of it; and
/// PT-Scotch's, for graphs that no process should hold whole.
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/mapping/machine.hpp>
#include <seam/mapping/strategies/division.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam {

/// Fills all places of a machine at once, by Scotch's static mapping onto its tree; nothing where
/// the tree is not the same below all parts of a level, or has but one level.
/// Local, deterministic.
std::optional<filling> divide_by_scotch_at_once(weighted_graph const& graph,
                                                machine const& cluster);

/// A graph whose vertices are divided over ranks and numbered rank by rank, as plain rows.
struct graph_rows {
  std::span<std::int64_t const> vertices2edges; ///< [number of own vertices + 1] -> edges
  std::span<std::int64_t const> edges2vertices; ///< the vertex at the other end, of any rank
  std::span<std::int64_t const> vertex_weights; ///< [own vertices], or empty on all ranks
  std::span<std::int64_t const> edge_weights;   ///< [edges], or empty on all ranks
};

/// The part that PT-Scotch puts each own vertex into. [number of own vertices]
///
/// Parts weigh in proportion to `sizes`, about 2 % more or less. On as many ranks with the same
/// rows the result is always the same.
/// @param rows   edges from both of their ends, with the same weight
/// @param sizes  [number of parts] at least 1; the same on all ranks
/// @throws usage_error  PT-Scotch fails, as on edges that differ at their ends, or the graph is too
///         large for its numbers (on all ranks)
/// Collective: over `over`.
std::vector<int> parts_by_scotch(mpi::comm_view over, graph_rows const& rows,
                                 std::span<int const> sizes);

/// The node where PT-Scotch wants the calling rank. Nodes are not filled exactly. Its mapping onto
/// trees does not exist (version 7.0), so the levels inside are not looked at.
///
/// @param topology  this rank's edges, whose weights are the same at both ends
/// @throws usage_error  PT-Scotch fails, as on edges that differ at their ends (on all ranks)
/// Collective: over `over`, which has as many ranks as there are places.
int node_by_scotch(mpi::comm_view over, Topology const& topology, machine const& cluster);

} // namespace seam
