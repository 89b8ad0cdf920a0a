#include <seam/stencil/fields/gather.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/schedule/pack.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/stencil/space/layout.hpp>

#include <fmt/format.h>

namespace seam::detail {
namespace {

/// The memory of `part` in an array that stores `all`.
block block_in(std::byte* array, std::int64_t element_bytes, box3 const& part, box3 const& all) {
  return make_block(array, element_bytes, region_of(part, all));
}

void check(field_state const& field, int component, int root) {
  int const components = field.options.components, size = field.space->size();
  if (component < 0 || component >= components || root < 0 || root >= size)
    throw usage_error(fmt::format("gather: component {} of '{}' on rank {} (expected 0 to {}, on "
                                  "rank 0 to {})",
                                  component, field.name, root, components - 1, size - 1),
                      true);
}

} // namespace

void gather_blocks(field_state const& field, int component, std::byte* whole, int root) {
  check(field, component, root);
  constexpr int tag = 0;
  grid_space const& grid = *field.space;
  centering const on = field.options.on;
  std::int64_t const bytes = field.element_bytes;
  auto const& comm = grid.base();
  call_scope const here("gather", *comm.calls());
  std::vector<std::byte> wire;
  auto const wire_of = [&](box3 const& part) {
    wire.resize(part.num_cells() * bytes);
    return std::span(wire);
  };
  std::byte* const local = field.buffers.front().get() + component * field.bytes_of_component();
  auto const own = wire_of(field.owned());
  pack(block_in(local, bytes, field.owned(), field.local()), own.data());
  if (grid.rank() != root)
    return mpi::send(comm.context(), std::span<std::byte const>(own), root, tag);
  unpack(own.data(), block_in(whole, bytes, grid.owned(on), grid.domain(on)));
  for (int rank = 0; rank < grid.size(); ++rank)
    if (rank != root) {
      box3 const part = grid.owned_by(rank, on);
      mpi::receive(comm.context(), wire_of(part), rank, tag);
      unpack(wire.data(), block_in(whole, bytes, part, grid.domain(on)));
    }
}

} // namespace seam::detail
