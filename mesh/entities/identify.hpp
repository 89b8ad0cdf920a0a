/// Periodic meshes by a translation: joins the vertices of two borders that match.
///
///     auto box = box_mesh(comm, shape::quadrilateral, {8, 8, 1});
///     identify(comm, box, 1, 2);            // the left and the right end, one unit apart
///     Mesh const ring(comm, box);
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <optional>

namespace seam {

/// Adds to input.joined each vertex of a boundary element with tag `from`, and the vertex of one with
/// tag `to` that lies `by` further. Along several axes: one call for each.
///
/// @param from, to  tags of boundary elements of one dimension less than the cells
/// @param by        the translation, or nothing: from the mean of the one border to that of the other
///                  [length]
/// @throws usage_error  no such element has one of the tags; the translation is 0 or not finite; a
///         vertex of either border has no partner up to 1e-6 of the translation's length (on all
///         ranks)
/// Collective: over `over`.
void identify(Communicator const& over, mesh_input& input, std::int32_t from, std::int32_t to,
              std::optional<std::array<double, 3>> by = {});

} // namespace seam
