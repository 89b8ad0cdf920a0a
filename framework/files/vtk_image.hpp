/// VTK's images: a grid's cells as points in three dimensions, for the reasons in vtkhdf.hpp.
#pragma once

#include <seam/stencil/fields/grid.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace seam::detail {

/// A box of evenly spaced points; every list has the slowest axis first, which is VTK's z.
struct vtk_image {
  std::array<std::int64_t, 3> points; ///< at least 2 on each axis
  std::array<std::int64_t, 3> copies; ///< points of a cell on an axis: 2 if it is alone, else 1
  std::array<double, 3> origin;       ///< the first point [unit of length]
  std::array<double, 3> spacing;      ///< distance of neighbors [unit of length]

  std::int64_t num_points() const { return points[0] * points[1] * points[2]; }
};

/// Extends `given` to three axes, slowest first, with `missing` on those that a grid does not have.
template <class T, std::size_t D>
std::array<T, 3> on_three_axes(std::array<T, D> const& given, T missing) {
  std::array<T, 3> all;
  all.fill(missing);
  std::copy(given.begin(), given.end(), all.end() - D);
  return all;
}

/// Makes the image of `grid` from the centers of its cells; on an axis with one cell, and on a
/// missing one, from the two faces of the cell. On a missing axis a cell is as wide as on the last.
/// Local.
template <int D>
vtk_image image_of(Grid<D> const& grid) {
  vtk_image image{.points = on_three_axes(grid.cells(), std::int64_t{1}),
                  .copies = {1, 1, 1},
                  .origin = on_three_axes(grid.geometry().lower, 0.0),
                  .spacing = on_three_axes(grid.spacing(), grid.spacing().back())};
  for (int a = 0; a < 3; ++a) {
    if (image.points[a] == 1)
      image.points[a] = image.copies[a] = 2;
    else
      image.origin[a] += 0.5 * image.spacing[a];
  }
  return image;
}

} // namespace seam::detail
