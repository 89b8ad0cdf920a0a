/// Vertex fluxes: diffusion between the vertices of a mesh, by finite elements of first order (see
/// quadrature.hpp) with lumped masses.
///
///     auto const fluxes = find_vertex_fluxes(mesh);
///     auto const layered = find_vertex_fluxes(mesh, [&](local_id cell, auto const& where) {
///       return mesh.cells().tags[cell] == 7 ? 0.1 : 1 + where[0];
///     });
#pragma once

#include <seam/mesh/fluxes/mesh_fluxes.hpp>

#include <array>
#include <functional>

namespace seam {

/// The conductivity of a cell at a place inside it: above 0, and the same on all ranks that have
/// the cell. It is called for ghost cells, too. An empty function stands for 1 everywhere.
using conductivity = std::function<double(local_id cell, std::array<double, 3> const& where)>;

/// Finds the fluxes between this rank's own vertices and the vertices that share a cell with them,
/// for d/dt u = div(conductivity grad u).
///
/// Linear functions are preserved up to rounding errors on any cells. Errors (in the mean square)
/// fall by a factor of four when cells are halved, whatever the cells' shapes and angles, also
/// where the conductivity jumps between cells. Conductances of obtuse angles are below 0: values
/// may then leave the range of their neighbors' values a little. The volume of a vertex is the
/// integral of its function. Neighbors are listed, and cells are added up, by ascending id, so that
/// numbers do not depend on the mesh's division.
/// @throws usage_error  the mesh has no layer of ghost cells through vertices; a cell is folded or
///         flat; a conductivity is not above 0 (on all ranks)
/// Collective: over mesh.base().
/// Cost: proportional to the cells around own vertices.
mesh_fluxes find_vertex_fluxes(Mesh const& mesh, conductivity const& conductivity_of = {});

} // namespace seam
