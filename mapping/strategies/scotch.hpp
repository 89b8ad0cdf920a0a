/// Scotch's mapping onto a whole machine, beside divide_by_scotch() for one level of it; and
/// PT-Scotch's, for graphs that no process should hold whole.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/topology.hpp>
#include <seam/mapping/machine.hpp>
#include <seam/mapping/strategies/division.hpp>

namespace seam {

/// Fills all places of a machine at once, by Scotch's static mapping onto its tree; nothing where
/// the tree is not the same below all parts of a level, or has but one level.
/// Local, deterministic.
std::optional<filling> divide_by_scotch_at_once(weighted_graph const& graph,
                                                machine const& cluster);

/// The node where PT-Scotch wants the calling rank. Nodes are not filled exactly. Its mapping onto
/// trees does not exist (version 7.0), so the levels inside are not looked at.
///
/// @param topology  this rank's edges, whose weights are the same at both ends
/// @throws usage_error  PT-Scotch fails, as on edges that differ at their ends (on all ranks)
/// Collective: over `over`, which has as many ranks as there are places.
int node_by_scotch(mpi::comm_view over, Topology const& topology, machine const& cluster);

} // namespace seam
