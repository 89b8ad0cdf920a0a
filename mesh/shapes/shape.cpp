#include <seam/mesh/shapes/shape.hpp>

namespace seam {
namespace {

constexpr shape_part vertex(std::uint8_t a) { return {shape::point, {a}}; }
constexpr shape_part side(std::uint8_t a, std::uint8_t b) { return {shape::line, {a, b}}; }
constexpr shape_part side(std::uint8_t a, std::uint8_t b, std::uint8_t c) {
  return {shape::triangle, {a, b, c}};
}
constexpr shape_part side(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
  return {shape::quadrilateral, {a, b, c, d}};
}

constexpr std::array vertices{vertex(0), vertex(1), vertex(2), vertex(3),
                              vertex(4), vertex(5), vertex(6), vertex(7)};

constexpr std::array triangle_edges{side(0, 1), side(1, 2), side(2, 0)};
constexpr std::array quadrilateral_edges{side(0, 1), side(1, 2), side(2, 3), side(3, 0)};
constexpr std::array tetrahedron_edges{side(0, 1), side(1, 2), side(2, 0),
                                       side(0, 3), side(1, 3), side(2, 3)};
constexpr std::array pyramid_edges{side(0, 1), side(1, 2), side(2, 3), side(3, 0),
                                   side(0, 4), side(1, 4), side(2, 4), side(3, 4)};
constexpr std::array prism_edges{side(0, 1), side(1, 2), side(2, 0), side(3, 4), side(4, 5),
                                 side(5, 3), side(0, 3), side(1, 4), side(2, 5)};
constexpr std::array hexahedron_edges{side(0, 1), side(1, 2), side(2, 3), side(3, 0),
                                      side(4, 5), side(5, 6), side(6, 7), side(7, 4),
                                      side(0, 4), side(1, 5), side(2, 6), side(3, 7)};

constexpr std::array tetrahedron_faces{side(0, 2, 1), side(0, 1, 3), side(1, 2, 3), side(2, 0, 3)};
constexpr std::array pyramid_faces{side(0, 3, 2, 1), side(0, 1, 4), side(1, 2, 4), side(2, 3, 4),
                                   side(3, 0, 4)};
constexpr std::array prism_faces{side(0, 2, 1), side(3, 4, 5), side(0, 1, 4, 3), side(1, 2, 5, 4),
                                 side(2, 0, 3, 5)};
constexpr std::array hexahedron_faces{side(0, 3, 2, 1), side(4, 5, 6, 7), side(0, 1, 5, 4),
                                      side(1, 2, 6, 5), side(2, 3, 7, 6), side(3, 0, 4, 7)};

std::span<shape_part const> edges_of(shape whole) noexcept {
  switch (whole) {
  case shape::triangle: return triangle_edges;
  case shape::quadrilateral: return quadrilateral_edges;
  case shape::tetrahedron: return tetrahedron_edges;
  case shape::pyramid: return pyramid_edges;
  case shape::prism: return prism_edges;
  case shape::hexahedron: return hexahedron_edges;
  default: return {};
  }
}

std::span<shape_part const> faces_of(shape whole) noexcept {
  switch (whole) {
  case shape::tetrahedron: return tetrahedron_faces;
  case shape::pyramid: return pyramid_faces;
  case shape::prism: return prism_faces;
  case shape::hexahedron: return hexahedron_faces;
  default: return {};
  }
}

} // namespace

std::span<shape_part const> parts_of(shape whole, int dimension) noexcept {
  switch (dimension) {
  case 0: return std::span(vertices).first(num_vertices_of(whole));
  case 1: return edges_of(whole);
  default: return faces_of(whole);
  }
}

} // namespace seam
