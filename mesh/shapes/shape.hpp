/// Shapes: the kinds of cells and of their parts, with the order in which their vertices are
/// listed.
#pragma once

#include <array>
#include <cstdint>
#include <span>

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

/// A part of a shape: its own shape and its vertices, as positions in the whole's list.
struct shape_part {
  shape what = shape::point;
  std::array<std::uint8_t, 4> vertices{};

  std::span<std::uint8_t const> positions() const noexcept {
    return {vertices.data(), static_cast<std::size_t>(num_vertices_of(what))};
  }
};

/// The parts of `whole` that have `dimension` dimensions, in a fixed order; a point's only part is
/// itself. Vertices of a cell's face turn counterclockwise when seen from outside; edges of a
/// polygon follow each other around it.
///
/// @param dimension  0 to dimensions_of(whole) - 1
/// Local.
std::span<shape_part const> parts_of(shape whole, int dimension) noexcept;

} // namespace seam
