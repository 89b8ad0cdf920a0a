/// Cartesianity: whether all processes of a named communicator have the same neighborhood.
///
///     name(world, naming);
///     auto grid = make_named_graph(world, make_topology(naming, world.rank(), moore(1)));
///     run(grid, alltoall(out, in));                 // by six messages in 3D, if blocks are small
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <memory>

namespace seam {

/// The Cartesian structure of `topology`, or nullptr if it has none. It has one if every process
/// has a name, which is a point of the grid of its own, and all have the same neighborhood, as far
/// as it leads to points of the grid.
///
/// Neighborhoods are compared by relative coordinates, in any order of edges. Network parameters
/// are measured on the first call (see network.hpp).
/// Collective: over `named`.
/// Cost: some broadcasts and reductions of a neighborhood's length.
/// Source: [Traeff2021] sec. 3.2, there for periodic grids; here for all.
std::shared_ptr<cartesian_structure const> cartesian_structure_of(Communicator const& named,
                                                                  Topology const& topology);

/// Makes a graph communicator as make_graph() does; on a named communicator it also finds out
/// whether the graph is Cartesian.
/// Collective: over `over`.
Communicator make_named_graph(Communicator const& over, Topology const& topology);

} // namespace seam
