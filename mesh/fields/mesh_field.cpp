#include <seam/mesh/fields/mesh_field.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/detail/loop_threads.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

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
  Communicator const& all = wanted.mesh.base();
  collectively(all.context(), [&] { check(wanted); });
  std::int64_t const count = wanted.mesh.entities(wanted.dimension).num_local();
  wanted.memory = allocate_bytes(all, count * wanted.row_bytes());
  std::byte* const first = wanted.memory.get();
  auto const begin_row = [=, begin = wanted.begin, bytes = wanted.row_bytes(),
                          components = wanted.num_components](std::int64_t row) {
    begin(first + row * bytes, components);
  };
  if (num_own_loop_threads > 0) {
    loop_on_own_threads(count, begin_row);
  } else {
    Kokkos::parallel_for(
        "seam::zero", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, count), begin_row);
    Kokkos::DefaultHostExecutionSpace().fence();
  }
  return std::make_shared<mesh_field_state>(std::move(wanted));
}

} // namespace seam::detail
