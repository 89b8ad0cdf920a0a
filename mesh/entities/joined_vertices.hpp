/// Joined vertices: the input of a periodic mesh, in which vertices at opposite borders are one.
///
///     0---1---2---3   with 3 joined to 0:   0---1---2---(0)
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/numbering/ids.hpp>
#include <seam/mesh/input/mesh_input.hpp>
#include <seam/mesh/shapes/vertex_image.hpp>

#include <optional>
#include <span>
#include <vector>

namespace seam::detail {

/// The input with each class of joined vertices replaced by the least of them, in the place of which
/// cells have it with an image; vertices that are no more are left out. Nothing where no rank joins
/// any.
/// @param input  one that check_input() has accepted
/// @throws usage_error  a joined vertex is not given; joined vertices do not match by translations,
///         or contradict each other; a cell would have a vertex twice; a side whose vertices are all
///         joined meets no other (on all ranks)
/// Collective: over `over`.
/// Source for the propagation of labels: Y. Shiloach, U. Vishkin: An O(log n) parallel connectivity
/// algorithm. J. Algorithms 3, 1982; here without the shortcuts, as chains are short.
std::optional<mesh_input> join_vertices(Communicator const& over, mesh_input const& input);

/// Two vertices, and the vector from the second to the first. [length]
struct displacement {
  vector3 by{};
  global_id vertex = 0, other = 0;
};

/// Finds at most 3 independent vectors of which all displacements are integer multiples, up to 1e-6
/// of the longest: the shortest displacements. A displacement of 0 needs none.
/// @throws usage_error  there are none: vertices do not match, or are turned (on all ranks)
/// Collective: over `over`. The same on all ranks.
std::vector<vector3> find_periods(Communicator const& over, std::span<displacement const> all);

/// The multiples of the periods nearest to a vector. Local.
vertex_image nearest_image(vector3 const& by, std::span<vector3 const> periods);

} // namespace seam::detail
