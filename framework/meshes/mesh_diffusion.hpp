/// Diffusion on a mesh as a system of equations: -div(conductivity grad u) = f.
///
///     auto const system = assemble_diffusion(mesh, {given_value(1, 0.0), given_slope(2, 0.5)});
///     b[v] = f(place of v) * system.volumes[v] + system.sources[v];
///
/// There is one unknown for each vertex, by finite elements of first order, on any cells (see
/// mesh/fluxes/vertex_flux.hpp). On boxes of quadrilaterals or hexahedra there may be one for each
/// cell instead: assemble_two_point_diffusion().
#pragma once

#include <seam/framework/solve/matrix_rows.hpp>
#include <seam/mesh/fields/mesh_field.hpp>
#include <seam/mesh/fluxes/vertex_flux.hpp>

#include <array>
#include <functional>
#include <vector>

namespace seam {

/// A boundary condition on the sides with a tag.
struct side_condition {
  enum class kind { value, slope, inflow };

  std::int32_t tag;
  kind what;
  std::function<double(std::array<double, 3> const&)> given; ///< at a place on a side
};

namespace detail {

/// Makes a condition from a function of places, or from a number that holds everywhere.
template <class Given>
side_condition make_condition(std::int32_t tag, side_condition::kind what, Given given) {
  if constexpr (std::is_arithmetic_v<Given>)
    return {tag, what, [=](std::array<double, 3> const&) { return double(given); }};
  else
    return {tag, what, std::move(given)};
}

} // namespace detail

/// Sets u to `given` on the sides with a tag.
template <class Given>
side_condition given_value(std::int32_t tag, Given given) {
  return detail::make_condition(tag, side_condition::kind::value, std::move(given));
}

/// Sets the derivative of u along the outward normal to `given` on the sides with a tag. Only for
/// sides on the border.
template <class Given>
side_condition given_slope(std::int32_t tag, Given given) {
  return detail::make_condition(tag, side_condition::kind::slope, std::move(given));
}

/// Sets the inflow through each unit of area, conductivity times derivative of u along the outward
/// normal, to `given` on the sides with a tag.
template <class Given>
side_condition given_inflow(std::int32_t tag, Given given) {
  return detail::make_condition(tag, side_condition::kind::inflow, std::move(given));
}

/// The boundary conditions, applied to vertices.
struct vertex_borders {
  std::vector<double> sources; ///< [vertices().num_owned] inflow through sides
  MeshField<double> values;    ///< given values, also of copies; NaN where none is given
};

/// Applies the boundary conditions to vertices.
/// @param conditions  at most one for each tag, the same on all ranks, each of a tag that a side
///                    has; a vertex on sides of several tags has the value that is listed first
/// @throws usage_error  a tag has two conditions or no side; a number is not finite; the mesh
///                      has no layer of ghost cells through vertices (on all ranks)
/// Collective: over mesh.base().
vertex_borders find_vertex_borders(Mesh const& mesh, std::vector<side_condition> const& conditions,
                                   conductivity const& conductivity_of = {});

/// Assembles the rows of this rank's own vertices, in their order, by find_vertex_fluxes().
/// The matrix is symmetric, and positive definite if a value is given anywhere. The row of a vertex
/// whose value is given has only its diagonal, and the volume 0; no other row has its column.
/// @param conditions  as of find_vertex_borders(); nothing flows through all other sides
/// @throws usage_error  see find_vertex_fluxes() and find_vertex_borders() (on all ranks)
/// Collective: over mesh.base().
diffusion_system assemble_diffusion(Mesh const& mesh,
                                    std::vector<side_condition> const& conditions = {},
                                    conductivity const& conductivity_of = {});

/// Assembles the rows of this rank's own vertices from fluxes and conditions.
/// Collective: over the mesh.
diffusion_system assemble_diffusion(mesh_fluxes const& fluxes, vertex_borders const& borders);

/// Assembles the rows of this rank's own cells, in their order, by two-point fluxes; conductivity
/// is 1, and conditions are evaluated at the centers of sides.
/// @throws usage_error  as find_vertex_borders(); find_two_point_fluxes() refuses cells that do
///                      not lie as those of a grid (on all ranks)
/// Collective: over mesh.base().
diffusion_system assemble_two_point_diffusion(Mesh const& mesh,
                                              std::vector<side_condition> const& conditions = {});

/// Numbers the row of each local entity of a dimension: own entities are counted rank by rank.
/// Collective: over mesh.base().
MeshField<std::int64_t> number_rows(Mesh const& mesh, int dimension);

} // namespace seam
