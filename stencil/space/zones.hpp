/// Zones: the parts into which the faces of a block, drawn on without end, cut what lies around it; one
/// for each direction in {-1, 0, 1}^3:
///
///     (0,-1,-1) | (0,-1,0) | (0,-1,1)
///     ----------+----------+---------
///     (0, 0,-1) |  block   | (0, 0,1)
#pragma once

#include <seam/exchange/steps/regions/three_axes.hpp>

namespace seam::detail {

/// Calls visit(direction, part) for the parts of `all` in the zones around `block`, in the order of
/// the directions.
template <class Visit>
void for_each_zone(box3 const& all, box3 const& block, Visit const& visit, int axis = 0,
                   index3 direction = {}) {
  if (all.is_empty())
    return;
  if (axis == 3)
    return visit(direction, all);
  auto const [below, within, above] = slices_of(all, axis, block.lo[axis], block.hi[axis]);
  direction[axis] = -1;
  for (box3 const& slice : {below, within, above}) {
    for_each_zone(slice, block, visit, axis + 1, direction);
    ++direction[axis];
  }
}

} // namespace seam::detail
