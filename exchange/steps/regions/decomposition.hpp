/// Decomposition: the cells that each process of a named grid owns.
#pragma once

#include <algorithm>
#include <cstdint>

namespace seam::detail {

/// The first cell of part `part` of `num_parts`, on an axis of `cells` cells. Parts differ by one
/// cell at most, the larger ones come first; part == num_parts gives the number of cells.
/// Local.
constexpr std::int64_t first_cell_of(std::int64_t cells, int num_parts, int part) {
  return part * (cells / num_parts) + std::min<std::int64_t>(part, cells % num_parts);
}

} // namespace seam::detail
