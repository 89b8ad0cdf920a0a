/// Gathering a field on one rank: for pictures, small files and tests. Large output goes through
/// the parallel writers.
#pragma once

#include <seam/stencil/fields/field.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace seam {
namespace detail {

/// As gather(), whatever the type of values: gathers the owned values of a component of every rank into `whole` on the root.
/// @param whole  [values...], row-major
/// @throws usage_error  there is no such component or rank (on all ranks)
/// Collective: over the grid.
void gather_blocks(field_state const& field, int component, std::byte* whole, int root);

} // namespace detail

/// Gathers a component of the field on `root`: [n0]...[nD-1] values of grid().domain(on()),
/// row-major; empty on other ranks.
/// @throws usage_error  there is no such component or rank (on all ranks)
/// Collective: over the field's grid. Waits for all ranks' values, one after another.
template <class T, int D>
std::vector<T> gather(Field<T, D> const& field, int root = 0, int component = 0) {
  std::int64_t const count =
      field.grid().rank() == root ? field.grid().domain(field.on()).num_cells() : 0;
  using stored = std::conditional_t<std::is_same_v<T, bool>, char, T>; // bits have no address
  std::vector<stored> whole(count);
  detail::gather_blocks(*field.shared(), component, reinterpret_cast<std::byte*>(whole.data()),
                        root);
  if constexpr (std::is_same_v<T, bool>)
    return {whole.begin(), whole.end()};
  else
    return whole;
}

} // namespace seam
