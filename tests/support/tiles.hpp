/// Tiles: the cells of a block in small boxes, for tests of loops by tiles.
#pragma once

#include <seam/stencil/space/tiles.hpp>

#include <cstdint>
#include <vector>

namespace seam::testing {

/// `all` as disjoint boxes of at most about `most_cells` cells.
template <int D>
std::vector<box<D>> tiles_of(box<D> const& all, std::int64_t most_cells) {
  std::vector<box<D>> tiles;
  for (detail::box3 const& tile : detail::cut(detail::padded(all), most_cells))
    tiles.push_back(detail::unpadded<D>(tile));
  return tiles;
}

} // namespace seam::testing
