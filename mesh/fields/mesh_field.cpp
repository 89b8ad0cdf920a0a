#include <seam/mesh/fields/mesh_field.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/detail/loop_threads.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/entities/file_numbers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seam::detail {
namespace {

void check(mesh_field_state const& wanted) {
  if (wanted.dimension < 0 || wanted.dimension > wanted.mesh.num_dimensions())
    refuse(fmt::format("field '{}': on entities of dimension {} (expected 0 to {})", wanted.name,
                       wanted.dimension, wanted.mesh.num_dimensions()));
  if (wanted.num_components < 1)
    refuse(fmt::format("field '{}': {} components (expected at least 1)", wanted.name,
                       wanted.num_components));
}

} // namespace

std::shared_ptr<mesh_field_state> make_field_state(mesh_field_state wanted) {
  collectively(wanted.mesh.base().context(), [&] { check(wanted); });
  wanted.memory = new_values(wanted);
  add_stamps(wanted);
  return std::make_shared<mesh_field_state>(std::move(wanted));
}

std::shared_ptr<std::byte> new_values(mesh_field_state const& field) {
  std::int64_t const count = field.mesh.entities(field.dimension).num_local();
  auto memory = allocate_bytes(field.mesh.base(), count * field.row_bytes());
  std::byte* const first = memory.get();
  auto const begin_row = [=, begin = field.begin, bytes = field.row_bytes(),
                          components = field.num_components](std::int64_t row) {
    begin(first + row * bytes, components);
  };
  if (num_own_loop_threads > 0) {
    loop_on_own_threads(count, begin_row);
  } else {
    Kokkos::parallel_for(
        "seam::zero", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, count), begin_row);
    Kokkos::DefaultHostExecutionSpace().fence();
  }
  return memory;
}

} // namespace seam::detail

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
