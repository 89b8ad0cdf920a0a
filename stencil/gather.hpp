/// Gathering a field on one rank: for pictures, small files and tests. Large output goes through
/// the parallel writers.
#pragma once

#include <seam/stencil/field.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace seam {
namespace detail {

/// Gathers the owned blocks of `grid` from `local` on every rank into `whole` on the root.
/// @param element_bytes  of a cell [bytes]
/// @param local          owned cells and ghosts, as stored
/// @param whole          [cells...], row-major
/// Collective: over the grid.
template <int D>
void gather_blocks(Grid<D> const& grid, std::int64_t element_bytes, std::byte const* local,
                   std::byte* whole, int root);

} // namespace detail

/// Gathers the whole field on `root`. [cells()[0]]...[cells()[D-1]], row-major; empty on other
/// ranks Collective: over the field's grid.
template <class T, int D>
std::vector<T> gather(Field<T, D> const& field, int root = 0) {
  std::int64_t const count = field.grid().rank() == root ? field.grid().domain().num_cells() : 0;
  using stored = std::conditional_t<std::is_same_v<T, bool>, char, T>; // bits have no address
  std::vector<stored> whole(count);
  detail::gather_blocks<D>(field.grid(), sizeof(T),
                           reinterpret_cast<std::byte const*>(field.storage().data()),
                           reinterpret_cast<std::byte*>(whole.data()), root);
  if constexpr (std::is_same_v<T, bool>)
    return {whole.begin(), whole.end()};
  else
    return whole;
}

} // namespace seam
