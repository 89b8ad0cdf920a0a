/// Domain images: places beyond borders of the domain, mirrored into it.
///
///     inside(-1)  ---> 0          across the border below cells, whose first one is 0
///     inside(-1)  ---> 1          where values lie on the border itself
#pragma once

#include <seam/exchange/steps/regions/box.hpp>
#include <seam/stencil/space/border.hpp>
#include <seam/stencil/space/centering.hpp>
#include <seam/stencil/space/grid_space.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace seam::detail {

/// The sum of the indices, across a border, of a place beyond it and its mirror image, for values at
/// `on`.
/// @param of  the border's side on `axis`
inline std::int64_t mirror_sum(grid_space const& grid, centering on, int axis, side of) {
  box3 const domain = grid.domain(on);
  bool const lie_on_border = grid.is_low(on, axis);
  if (of == side::low)
    return 2 * domain.lo[axis] - (lie_on_border ? 0 : 1);
  return 2 * domain.hi[axis] - (lie_on_border ? 2 : 1);
}

/// The images of places of values at `on` of a grid. Along periodic axes nothing lies beyond.
class domain_images {
public:
  /// @param origin  the global index that is 0 for callers
  domain_images(grid_space const& grid, centering on, index3 const& origin = {}) {
    box3 const domain = grid.domain(on);
    for (int a = 0; a < 3; ++a)
      if (!grid.is_periodic(a))
        axes_[a] = {domain.lo[a] - origin[a], domain.hi[a] - origin[a],
                    mirror_sum(grid, on, a, side::low) - 2 * origin[a],
                    mirror_sum(grid, on, a, side::high) - 2 * origin[a]};
  }

  /// `at`, mirrored at each border beyond which it lies.
  index3 inside(index3 at) const {
    for (int a = 0; a < 3; ++a)
      at[a] = axes_[a].inside(at[a]);
    return at;
  }

  /// The smallest box of the images of `places`.
  box3 inside(box3 const& places) const {
    box3 images = places;
    if (places.is_empty())
      return images;
    for (int a = 0; a < 3; ++a) {
      axis_ends const& ends = axes_[a];
      std::int64_t const first = places.lo[a], last = places.hi[a] - 1;
      std::int64_t least = std::min(ends.inside(first), ends.inside(last));
      std::int64_t most = std::max(ends.inside(first), ends.inside(last));
      if (first < ends.lo && last >= ends.lo)
        least = ends.lo;
      if (first < ends.hi && last >= ends.hi)
        most = ends.hi - 1;
      images.lo[a] = least;
      images.hi[a] = most + 1;
    }
    return images;
  }

private:
  struct axis_ends {
    std::int64_t lo = std::numeric_limits<std::int64_t>::min();
    std::int64_t hi = std::numeric_limits<std::int64_t>::max();
    std::int64_t sum_low = 0, sum_high = 0; ///< of a place and its image, at either end

    std::int64_t inside(std::int64_t at) const {
      return at < lo ? sum_low - at : at >= hi ? sum_high - at : at;
    }
  };
  std::array<axis_ends, 3> axes_{};
};

} // namespace seam::detail
