/// Shapes: the kinds of cells and of their parts, with the order in which their vertices are
/// listed.
#pragma once

#include <cstdint>

namespace seam {

/// Straight-sided elements. Vertices are in the order of VTK and of Gmsh, which agree for these.
enum class shape : std::uint8_t {
  point,
  line,
  triangle,
  quadrilateral,
  tetrahedron,
  pyramid,
  prism, ///< VTK calls it a wedge
  hexahedron,
};

inline constexpr int num_shapes = 8;

constexpr int dimensions_of(shape of) noexcept {
  constexpr int table[num_shapes] = {0, 1, 2, 2, 3, 3, 3, 3};
  return table[static_cast<int>(of)];
}

constexpr int num_vertices_of(shape of) noexcept {
  constexpr int table[num_shapes] = {1, 2, 3, 4, 4, 5, 6, 8};
  return table[static_cast<int>(of)];
}

} // namespace seam
