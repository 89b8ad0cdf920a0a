/// Joined vertices: the input of a periodic mesh, in which vertices at opposite borders are one.
///
///     0---1---2---3   with 3 joined to 0:   0---1---2---(0)
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <optional>

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

} // namespace seam::detail
