/// Diffusion on a grid as a system of equations: -div(grad u) = f, one unknown for each cell.
///
///     u.boundary(dirichlet(0.0));
///     auto const system = assemble_diffusion(u);
///     auto f = u.grid().without_ghosts().field<double>("f"); // right-hand side, row by row
#pragma once

#include <seam/framework/solve/matrix_rows.hpp>
#include <seam/stencil/fields/field.hpp>

namespace seam {

/// Assembles the rows of this rank's cells, in the order of memory, with the boundary conditions of
/// `u`: 3, 5 or 7 entries each. A condition must set each ghost to a multiple of the cell inside
/// plus a number, as those of boundary.hpp do. The values of `u` do not matter.
/// @throws usage_error  a border has no condition; the grid has no ghosts across the faces of its
///         cells (on all ranks)
/// Collective: over the grid.
template <int D>
diffusion_system assemble_diffusion(Field<double, D> const& u);

} // namespace seam
