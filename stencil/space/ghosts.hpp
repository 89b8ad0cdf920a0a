/// Ghosts: the copies of other blocks' cells that a block needs for a neighborhood.
///
/// The cells around a block fall into 26 sides, one for each direction in {-1, 0, 1}^3; grids of two
/// axes have 8 of them. A neighborhood needs, at each side, the layers that its offsets reach:
///
///     (-1,-1) (-1,0) (-1,1)        offsets (-2,0) and (-1,1): side (-1,0) is two layers deep, side
///     ( 0,-1) block  ( 0,1)        (-1,1) is one by one, side (0,1) is one layer deep, and the
///     ( 1,-1) ( 1,0) ( 1,1)        others are not needed.
#pragma once

#include <seam/exchange/steps/regions/three_axes.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace seam::detail {

/// One side of a block that a neighborhood reaches into.
struct ghost_side {
  index3 direction{}; ///< -1, 0 or 1 on each axis
  index3 depth{};     ///< layers on the axes where direction is not 0, else 0 [cells]
};

/// The sides that `offsets` reach into, in lexicographic order of their directions, each as deep as
/// the farthest offset into it. Corners follow from the offsets and are not listed.
/// Local.
std::vector<ghost_side> ghost_sides(std::vector<index3> const& offsets);

/// Layers around a block on the low and high end of each axis: the depth of the deepest side.
template <int D>
struct ghost_width {
  cell_index<D> below{}, above{};

  /// The larger of both ends on `axis`.
  std::int64_t of(int axis) const { return std::max(below[axis], above[axis]); }

  friend bool operator==(ghost_width const&, ghost_width const&) = default;
};

/// The entries for the axes that a grid of D axes has.
template <int D>
ghost_width<D> unpadded(ghost_width<3> const& width) {
  return {unpadded<D>(width.below), unpadded<D>(width.above)};
}

/// Wider of both at each end.
inline ghost_width<3> wider(ghost_width<3> first, ghost_width<3> const& second) {
  for (int a = 0; a < 3; ++a) {
    first.below[a] = std::max(first.below[a], second.below[a]);
    first.above[a] = std::max(first.above[a], second.above[a]);
  }
  return first;
}

ghost_width<3> width_of(std::vector<ghost_side> const& sides);

/// Calls visit(direction, part) for the parts of `all` in the zones around `block`, in the order of
/// the directions. Zones are what the faces of the block, drawn on without end, cut: one for each direction
/// in {-1, 0, 1}^3.
template <class Visit>
void for_each_zone(box3 const& all, box3 const& block, Visit const& visit, int axis = 0,
                   index3 direction = {}) {
  if (axis == 3)
    return visit(direction, all);
  std::array const ends{all.lo[axis], std::clamp(block.lo[axis], all.lo[axis], all.hi[axis]),
                        std::clamp(block.hi[axis], all.lo[axis], all.hi[axis]), all.hi[axis]};
  for (int k = 0; k < 3; ++k)
    if (ends[k] < ends[k + 1]) {
      box3 slice = all;
      slice.lo[axis] = ends[k];
      slice.hi[axis] = ends[k + 1];
      direction[axis] = k - 1;
      for_each_zone(slice, block, visit, axis + 1, direction);
    }
}

/// The ghost cells at `side` of `block`.
/// Local.
box3 ghosts_at(box3 const& block, ghost_side const& side);

/// The cells of `block` that are ghosts at `side` of the block that lies opposite: the cells
/// nearest to the end that `side` points away from.
/// Local.
box3 rim_for(box3 const& block, ghost_side const& side);

} // namespace seam::detail
