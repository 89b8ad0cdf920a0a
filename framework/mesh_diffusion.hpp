/// Diffusion on a mesh as a system of equations: -div(grad u) = f, one unknown for each cell.
///
///     auto const system = assemble_diffusion(mesh, {given_value(1, 0.0), given_slope(2, flux)});
///     b[c] = f(center of c) * system.volumes[c] + system.sources[c];
#pragma once

#include <seam/framework/matrix_rows.hpp>
#include <seam/mesh/mesh_field.hpp>

#include <array>
#include <functional>
#include <vector>

namespace seam {

/// What holds on the sides with a tag.
struct side_condition {
  enum class kind { value, slope };

  std::int32_t tag;
  kind what;
  std::function<double(std::array<double, 3> const&)> given; ///< at a side's center
};

/// u equals `given` on the sides with a tag.
template <class Given>
side_condition given_value(std::int32_t tag, Given given) {
  if constexpr (std::is_arithmetic_v<Given>)
    return given_value(tag, [=](std::array<double, 3> const&) { return double(given); });
  else
    return {tag, side_condition::kind::value, std::move(given)};
}

/// The derivative of u along the outward normal equals `given` there.
template <class Given>
side_condition given_slope(std::int32_t tag, Given given) {
  if constexpr (std::is_arithmetic_v<Given>)
    return given_slope(tag, [=](std::array<double, 3> const&) { return double(given); });
  else
    return {tag, side_condition::kind::slope, std::move(given)};
}

/// The rows of this rank's own cells, in their order, by two-point fluxes (see two_point_flux.hpp).
/// @param conditions  at most one for each tag; nothing flows through all other sides
/// @throws usage_error  a tag has two conditions; see find_two_point_fluxes() (on all ranks)
/// Collective: over mesh.base().
diffusion_system assemble_diffusion(Mesh const& mesh,
                                    std::vector<side_condition> const& conditions = {});

/// The row of each local cell: own ones are counted rank by rank. Collective: over mesh.base().
MeshField<std::int64_t> number_cells(Mesh const& mesh);

} // namespace seam
