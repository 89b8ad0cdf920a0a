/// Two-point fluxes: diffusion from cell to cell through the sides of a mesh whose cells are
/// arranged like a grid. Other meshes need vertex_flux.hpp.
///
///     two_point_fluxes const fluxes = find_two_point_fluxes(mesh);
///     inflow = fluxes.between.inflow(cell, u);
#pragma once

#include <seam/mesh/fluxes/mesh_fluxes.hpp>

#include <vector>

namespace seam {

/// A side of an own cell at the border of the mesh.
struct border_flux {
  local_id cell, side;
  double area;        ///< of the side [length^(num_dimensions - 1)]
  double conductance; ///< area / distance from the cell's center to the side's
};

/// The fluxes of cells. Conductances are area / distance of centers. They are exact for linear
/// functions if the line between the centers meets the side at a right angle, as between
/// quadrilaterals or hexahedra of a box, or between equilateral triangles. On other meshes the
/// error would not vanish with the size of cells, and so these are refused.
struct two_point_fluxes {
  mesh_fluxes between;             ///< cells, in the order of their sides
  std::vector<border_flux> border; ///< by ascending cell
};

/// The largest angle between lines of centers and normals of sides. [degrees]
inline constexpr double largest_two_point_lean = 0.01;

/// Finds the fluxes of this rank's own cells. They depend only on the mesh, not on its division.
/// @throws usage_error  the mesh has no ghost layer; a line between two centers, or from one to the
///         middle of a side at the border, leans by more than largest_two_point_lean; centers
///         coincide, or a cell's volume is not above 0 (on all ranks)
/// Collective: over mesh.base().
two_point_fluxes find_two_point_fluxes(Mesh const& mesh);

} // namespace seam
