/// Zones: the parts into which the faces of a block, drawn on without end, cut what lies around it; one
/// for each direction in {-1, 0, 1}^3:
///
///     (0,-1,-1) | (0,-1,0) | (0,-1,1)
///     ----------+----------+---------
///     (0, 0,-1) |  block   | (0, 0,1)
#pragma once

#include <seam/exchange/steps/regions/three_axes.hpp>

#include <algorithm>
#include <array>

namespace seam::detail {

/// Calls visit(direction, part) for the parts of `all` in the zones around `block`, in the order of
/// the directions.
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

} // namespace seam::detail
