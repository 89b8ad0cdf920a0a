/// Layout: the region of a box in the array that stores a larger box, the last axis contiguous.
#pragma once

#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/steps/regions/three_axes.hpp>

namespace seam::detail {

/// `part` as a region of the array that stores `all`, which contains it.
/// Local.
inline region region_of(box3 const& part, box3 const& all) {
  region where;
  std::int64_t step = 1;
  for (int a = 2; a >= 0; --a) {
    where.extent[a] = part.extent(a);
    if (a < std::ssize(where.stride))
      where.stride[a] = step;
    where.offset += (part.lo[a] - all.lo[a]) * step;
    step *= all.extent(a);
  }
  return where;
}

} // namespace seam::detail
