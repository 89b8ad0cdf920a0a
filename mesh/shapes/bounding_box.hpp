/// Bounding boxes: the least and the largest coordinates of some points.
#pragma once

#include <array>

namespace seam {

/// The least box around some points. [length]
struct bounding_box {
  std::array<double, 3> lo, hi;

  double extent(int axis) const noexcept { return hi[axis] - lo[axis]; }
};

} // namespace seam
