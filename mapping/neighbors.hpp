/// Neighbors: the processes that a neighborhood leads to in a Cartesian naming, and their topology.
///
///     auto topology = make_topology(naming, world.rank(), seam::moore(1));
///     auto grid_comm = make_named_graph(world, topology);    // of cartesianity.hpp
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/mapping/cartesian_naming.hpp>
#include <seam/mapping/neighborhood.hpp>

namespace seam {

/// Whether offsets that lead to the same point of a short periodic grid, such as -1 and +1 along a
/// ring of two, stay separate edges.
enum class duplicates {
  keep, ///< each is an edge of its own: a stencil's offsets stay what they are
  merge ///< the first stands for all, with the sum of their weights: each neighbor once
};

/// Merges offsets that lead to the same point of the periodic grid into the first of them.
///
/// Offsets that lead round the grid back to the process itself become one if the zero offset is
/// among them, and are dropped otherwise: a process is its own neighbor only where declared.
/// @throws usage_error  a sum of weights exceeds the range of int
/// Local.
offset_list merge_duplicates(CartesianNaming const& naming, offset_list const& offsets);

/// The offsets of the list, in its order, that lead from `rank` to a process. Offsets beyond a
/// non-periodic border or to a point without a process are left out; an unnamed `rank` has none.
/// Local.
offset_list neighbors(CartesianNaming const& naming, int rank, offset_list const& offsets);

/// The offsets of the neighborhood that lead from `rank` to a process.
/// Local.
/// Source: [Traeff2021] listing 6 (Cart_neighbors_count, Cart_neighbors).
offset_list neighbors(CartesianNaming const& naming, int rank, neighborhood const& around,
                      duplicates repeated = duplicates::keep);

/// The edges of process `rank` if every process has the same neighborhood.
///
/// For each offset, in the order of the neighborhood, there is a destination at rank + offset and a
/// source at rank - offset, unless that is no process. What a process sends along an offset arrives
/// along the same offset. So the edges from process a to process b belong to the offsets that lead
/// from a to b, in their common order at both ends: the k-th edge from a to b in a's destinations
/// is the k-th edge from a in b's sources, also where several offsets lead to the same process.
///
/// @return  ranks are those of the naming; no edges for an unnamed process
/// Local.
/// Source: [Traeff2021] sec. 3, figure 1.
Topology make_topology(CartesianNaming const& naming, int rank, neighborhood const& around,
                       duplicates repeated = duplicates::keep);

} // namespace seam
