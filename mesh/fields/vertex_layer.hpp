/// The ghost layer that loops over the cells around own vertices need.
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/entities/mesh.hpp>

#include <fmt/format.h>

namespace seam::detail {

/// Checks that all cells around own vertices are on this rank.
/// @throws usage_error  they are not
/// Local.
inline void require_vertex_layer(Mesh const& mesh) {
  auto const [depth, through] = mesh.ghosts();
  if (depth < 1 || through != 0)
    refuse(
        fmt::format("fluxes: {} layers of ghost cells through entities of dimension {} (expected "
                    "at least 1 through vertices, 0)",
                    depth, through));
}

} // namespace seam::detail
