#include <seam/mesh/fields/file_ids.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/entities/file_numbers.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam {

MeshField<global_id> file_ids(Mesh const& mesh, mesh_part of) {
  auto found = mesh.field<global_id>("file_ids", of);
  int const d = found.dimension();
  if (d != 0 && d != mesh.num_dimensions())
    throw usage_error(fmt::format("file_ids: of entities of dimension {} (expected vertices, 0, or "
                                  "cells, {})",
                                  d, mesh.num_dimensions()),
                      true);
  auto const& ids = found.entities().ids;
  auto const& numbers = mesh.file_numbers();
  if (!numbers) {
    std::ranges::copy(ids, found.values().begin());
    return found;
  }
  auto const& old = d == 0 ? numbers->vertices : numbers->cells;
  std::ranges::copy(old.of(mesh.base(), ids), found.values().begin());
  return found;
}

} // namespace seam
