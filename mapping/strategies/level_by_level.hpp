/// Level by level: a division among the nodes of a machine, then among the packages of each node,
/// and so on down the tree.
#pragma once

#include <seam/mapping/machine.hpp>
#include <seam/mapping/strategies/division.hpp>

#include <functional>

namespace seam::detail {

/// Fills the places of `cluster` by `divide` on every level. If the ranks of a part form a box of
/// the grid, the level inside is divided as a grid, else as the graph between them. An inner level
/// that `divide` does not fit keeps its order.
///
/// @param grid  from which `graph` is made, or nullptr
/// @return      the rank on each place; nothing if `divide` does not fit the nodes
/// Local.
std::optional<filling> fill_level_by_level(
    weighted_graph const& graph, stencil_grid const* grid, machine const& cluster,
    std::function<std::optional<filling>(division_problem const&)> const& divide);

} // namespace seam::detail
