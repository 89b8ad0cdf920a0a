/// Decomposition: the cells that each process of a named grid owns.
#pragma once

#include <seam/stencil/box.hpp>

#include <span>

namespace seam::detail {

/// The first cell of part `part` of `num_parts`, on an axis of `cells` cells. Parts differ by one
/// cell at most, the larger ones come first; part == num_parts gives the number of cells.
/// Local.
constexpr std::int64_t first_cell_of(std::int64_t cells, int num_parts, int part) {
  return part * (cells / num_parts) + std::min<std::int64_t>(part, cells % num_parts);
}

/// The block of a grid of `cells` at process coordinates `coordinates` of `processes`.
/// Local.
template <int D>
box<D> block_of(cell_index<D> const& cells, std::span<int const> processes,
                std::span<int const> coordinates) {
  box<D> block;
  for (int a = 0; a < D; ++a) {
    block.lo[a] = first_cell_of(cells[a], processes[a], coordinates[a]);
    block.hi[a] = first_cell_of(cells[a], processes[a], coordinates[a] + 1);
  }
  return block;
}

} // namespace seam::detail
