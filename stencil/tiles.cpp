#include <seam/stencil/tiles.hpp>

namespace seam {
namespace {

/// Small enough that a tile's rows stay in a core's own cache from one row to the next, and that
/// threads share the work evenly; large enough that taking a tile costs nothing.
constexpr std::int64_t cells_of_a_tile = 16 * 1024;

/// The axis to halve: the slowest one along which there is more than one cell.
template <int D>
int slowest_long_axis(box<D> const& part) {
  for (int axis = 0; axis + 1 < D; ++axis)
    if (part.extent(axis) > 1)
      return axis;
  return D - 1;
}

template <int D>
void append(std::vector<box<D>>& tiles, std::vector<box<D>> const& more) {
  tiles.insert(tiles.end(), more.begin(), more.end());
}

} // namespace

template <int D>
std::vector<box<D>> cut(box<D> const& part, std::int64_t most_cells) {
  if (part.is_empty())
    return {};
  if (part.num_cells() <= most_cells)
    return {part};
  auto const axis = static_cast<std::size_t>(slowest_long_axis(part));
  box<D> low = part, high = part;
  low.hi[axis] = high.lo[axis] = part.lo[axis] + part.extent(static_cast<int>(axis)) / 2;
  std::vector<box<D>> tiles = cut(low, most_cells);
  append(tiles, cut(high, most_cells));
  return tiles;
}

template <int D>
sweep_tiles<D> make_sweep_tiles(box<D> const& owned, ghost_width<D> const& ghosts) {
  sweep_tiles<D> tiles;
  box<D> const interior = shrink(owned, ghosts.below, ghosts.above);
  tiles.interior = cut(interior, cells_of_a_tile);
  for (box<D> const& slab : difference(owned, interior))
    append(tiles.rim, cut(slab, cells_of_a_tile));
  return tiles;
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template std::vector<box<D>> cut(box<D> const&, std::int64_t);                                   \
  template sweep_tiles<D> make_sweep_tiles(box<D> const&, ghost_width<D> const&);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam
