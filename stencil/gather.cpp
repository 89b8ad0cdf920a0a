#include <seam/stencil/gather.hpp>

#include <seam/exchange/schedule/pack.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/stencil/layout.hpp>

namespace seam {
using namespace detail;

namespace detail {
namespace {

/// The memory of `part` in an array that stores `all`.
template <int D>
block block_in(std::byte* array, std::int64_t element_bytes, box<D> const& part,
               box<D> const& all) {
  return make_block(array, element_bytes, region_of(part, all));
}

} // namespace

template <int D>
void gather_blocks(Grid<D> const& grid, std::int64_t element_bytes, std::byte const* local,
                   std::byte* whole, int root) {
  constexpr int tag = 0;
  auto const& comm = grid.base();
  call_scope const here("gather", *comm.calls());
  std::vector<std::byte> wire;
  auto const wire_of = [&](box<D> const& part) {
    wire.resize(part.num_cells() * element_bytes);
    return std::span(wire);
  };
  box<D> const stored = grow(grid.owned(), grid.ghosts().below, grid.ghosts().above);
  auto const own = wire_of(grid.owned());
  pack(block_in(const_cast<std::byte*>(local), element_bytes, grid.owned(), stored), own.data());
  if (grid.rank() != root)
    return mpi::send(comm.context(), std::span<std::byte const>(own), root, tag);
  unpack(own.data(), block_in(whole, element_bytes, grid.owned(), grid.domain()));
  for (int rank = 0; rank < grid.size(); ++rank)
    if (rank != root) {
      box<D> const part = grid.owned_by(rank);
      mpi::receive(comm.context(), wire_of(part), rank, tag);
      unpack(wire.data(), block_in(whole, element_bytes, part, grid.domain()));
    }
}

template void gather_blocks(Grid<1> const&, std::int64_t, std::byte const*, std::byte*, int);
template void gather_blocks(Grid<2> const&, std::int64_t, std::byte const*, std::byte*, int);
template void gather_blocks(Grid<3> const&, std::int64_t, std::byte const*, std::byte*, int);

} // namespace detail
} // namespace seam
