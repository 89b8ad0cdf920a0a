/// Images of vertices: in a periodic mesh a vertex lies in several places, one for each cell beside
/// the border at which it is joined to itself.
///
///     0---1---2---(0)      the last cell has vertex 0 as {1, 0, 0}: one period to the right
#pragma once

#include <seam/mesh/shapes/vector3.hpp>

#include <compare>
#include <cstdint>
#include <span>

namespace seam {

/// By how many of each of the mesh's periods a vertex is moved. A value.
struct vertex_image {
  std::array<std::int8_t, 3> steps{};

  friend auto operator<=>(vertex_image const&, vertex_image const&) = default;

  friend vertex_image operator-(vertex_image a, vertex_image const& b) {
    for (int k = 0; k < 3; ++k)
      a.steps[k] = static_cast<std::int8_t>(a.steps[k] - b.steps[k]);
    return a;
  }
};

namespace detail {

/// The vector by which an image is moved. [length]
inline vector3 translation_of(vertex_image const& image, std::span<vector3 const> periods) {
  vector3 sum{};
  for (int k = 0; k < static_cast<int>(periods.size()); ++k)
    if (image.steps[k] != 0)
      sum += static_cast<double>(image.steps[k]) * periods[k];
  return sum;
}

} // namespace detail

} // namespace seam
