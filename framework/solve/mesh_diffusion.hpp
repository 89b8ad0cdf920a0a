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

/// What holds on the sides with a tag.
struct side_condition {
  enum class kind { value, slope, inflow };

  std::int32_t tag;
  kind what;
  std::function<double(std::array<double, 3> const&)> given; ///< at a place on a side
};

namespace detail {

/// A number stands for a function that is the same everywhere.
template <class Given>
side_condition make_condition(std::int32_t tag, side_condition::kind what, Given given) {
  if constexpr (std::is_arithmetic_v<Given>)
    return {tag, what, [=](std::array<double, 3> const&) { return double(given); }};
  else
    return {tag, what, std::move(given)};
}

} // namespace detail

/// u equals `given` on the sides with a tag.
template <class Given>
side_condition given_value(std::int32_t tag, Given given) {
  return detail::make_condition(tag, side_condition::kind::value, std::move(given));
}

/// The derivative of u along the outward normal equals `given` there. Sides of the border alone.
template <class Given>
side_condition given_slope(std::int32_t tag, Given given) {
  return detail::make_condition(tag, side_condition::kind::slope, std::move(given));
}

/// That derivative times the conductivity equals `given`: what flows in through each unit of area.
template <class Given>
side_condition given_inflow(std::int32_t tag, Given given) {
  return detail::make_condition(tag, side_condition::kind::inflow, std::move(given));
}

/// What conditions make of vertices.
struct vertex_borders {
  std::vector<double> sources; ///< [vertices().num_owned] what flows in through sides
  MeshField<double> values;    ///< given ones, also of copies; not a number where none is given
};

/// @param conditions  at most one for each tag, the same on all ranks, each of a tag that a side
///                    has; a vertex on sides of several tags has the value that is listed first
/// @throws usage_error  a tag has two conditions or no side; a number is not finite; the mesh has
/// no
///                      layer of ghost cells through vertices (on all ranks)
/// Collective: over mesh.base().
vertex_borders find_vertex_borders(Mesh const& mesh, std::vector<side_condition> const& conditions,
                                   conductivity const& conductivity_of = {});

/// The rows of this rank's own vertices, in their order: their balances by find_vertex_fluxes().
/// The matrix is symmetric, and positive definite where a value is given anywhere. The row of a
/// vertex whose value is given says so; no other has it for a column, and its volume is 0.
/// @param conditions  as of find_vertex_borders(); nothing flows through all other sides
/// @throws usage_error  see find_vertex_fluxes() and find_vertex_borders() (on all ranks)
/// Collective: over mesh.base().
diffusion_system assemble_diffusion(Mesh const& mesh,
                                    std::vector<side_condition> const& conditions = {},
                                    conductivity const& conductivity_of = {});

/// The same of what has been found already. Collective: over the mesh.
diffusion_system assemble_diffusion(mesh_fluxes const& fluxes, vertex_borders const& borders);

/// The rows of this rank's own cells, in their order, by two-point fluxes; conductivity is 1, and
/// what is given on a side is asked for at its middle.
/// @throws usage_error  as above; see find_two_point_fluxes(), which refuses cells that do not
/// stand
///                      like those of a grid (on all ranks)
/// Collective: over mesh.base().
diffusion_system assemble_two_point_diffusion(Mesh const& mesh,
                                              std::vector<side_condition> const& conditions = {});

/// The row of each local entity of a dimension: own ones are counted rank by rank.
/// Collective: over mesh.base().
MeshField<std::int64_t> number_rows(Mesh const& mesh, int dimension);

} // namespace seam
