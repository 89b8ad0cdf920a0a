/// Layout: the region of a box in the array that stores a larger box, the last axis contiguous.
#pragma once

#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/stencil/box.hpp>

namespace seam::detail {

/// `part` as a region of the array that stores `all`, which contains it.
/// Local.
template <int D>
region region_of(box<D> const& part, box<D> const& all) {
  static_assert(D <= 3, "regions have three levels");
  region where;
  std::int64_t step = 1;
  for (int a = D - 1; a >= 0; --a) {
    int const level = a + 3 - D;
    where.extent[level] = part.extent(a);
    if (level < std::ssize(where.stride))
      where.stride[level] = step;
    where.offset += (part.lo[a] - all.lo[a]) * step;
    step *= all.extent(a);
  }
  return where;
}

} // namespace seam::detail
