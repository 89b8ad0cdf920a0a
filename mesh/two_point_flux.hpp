/// Two-point fluxes: what diffuses from cell to cell through the sides of a mesh.
///
///     for (local_id c = 0; c < mesh.cells().num_owned; ++c)
///       for each k of row c of fluxes.cells2cells
///         inflow(c) += fluxes.conductances[k] * (u(neighbor k) - u(c));
#pragma once

#include <seam/mesh/mesh.hpp>

#include <vector>

namespace seam {

/// A side of an own cell that no other cell lies beyond.
struct border_flux {
  local_id cell, side;
  double area;        ///< of the side [length^(num_dimensions - 1)]
  double conductance; ///< area / distance from the cell's center to the side's
};

/// The flux through a side is its conductance times the difference of the values on both of its
/// sides. Conductances are area / distance of centers, the same bits for both cells, so that what
/// one loses the other gets. Second order where the line between the centers meets the side at a
/// right angle in its middle (boxes, equilateral triangles); elsewhere fluxes have an error that
/// does not vanish with the size of cells.
struct two_point_fluxes {
  std::vector<double> volumes;      ///< [cells().num_owned]
  adjacency cells2cells;            ///< [cells().num_owned] beyond its sides, in their order
  std::vector<double> conductances; ///< [cells2cells.ab2b.size()]
  std::vector<border_flux> border;  ///< by ascending cell
};

/// The fluxes of this rank's own cells. They depend on the mesh alone and not on its division.
/// @throws usage_error  the mesh has no ghost layer; two centers coincide, or a cell's volume is
///         not above 0 (on all ranks)
/// Collective: over mesh.base().
two_point_fluxes find_two_point_fluxes(Mesh const& mesh);

} // namespace seam
