/// Cartesianity: whether a graph on a named communicator is a stencil, the same at every process.
///
///     name(world, naming);
///     auto grid = make_named_graph(world, make_topology(naming, world.rank(), moore(1)));
///     run(grid, alltoall(out, in));                 // by six messages in 3D, if blocks are small
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <memory>

namespace seam {

/// What is to be known of `topology` if it is Cartesian: if all processes have a name, a point of
/// the grid each, and the same neighborhood, as far as it leads to points of the grid. Otherwise
/// nullptr.
///
/// Neighborhoods are compared by relative coordinates, in any order of edges. Network parameters
/// are measured on the first call (see network.hpp).
/// Collective: over `named`. Cost: some broadcasts and reductions of a neighborhood's length.
/// Source: [Traeff2021] sec. 3.2, there for periodic grids; here for all.
std::shared_ptr<cartesian_structure const> cartesian_structure_of(Communicator const& named,
                                                                  Topology const& topology);

/// As make_graph(), and finds out on a named communicator whether the graph is Cartesian.
/// Collective: over `over`.
Communicator make_named_graph(Communicator const& over, Topology const& topology);

} // namespace seam
