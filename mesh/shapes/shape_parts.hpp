/// The parts of shapes: which of a cell's vertices form its edges and faces.
#pragma once

#include <seam/mesh/shapes/shape.hpp>

#include <array>
#include <span>

namespace seam {

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
