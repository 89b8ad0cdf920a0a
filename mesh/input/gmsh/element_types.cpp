#include <seam/mesh/input/gmsh/element_types.hpp>

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace seam::detail {
namespace {

constexpr std::pair<int, shape> known[] = {{1, shape::line},          {2, shape::triangle},
                                           {3, shape::quadrilateral}, {4, shape::tetrahedron},
                                           {5, shape::hexahedron},    {6, shape::prism},
                                           {7, shape::pyramid},       {15, shape::point}};

struct type_name {
  int first, last;
  std::string_view name;
};

constexpr type_name curved[] = {
    {8, 8, "a line of second order"},
    {9, 9, "a triangle of second order"},
    {10, 10, "a quadrilateral of second order"},
    {11, 11, "a tetrahedron of second order"},
    {12, 12, "a hexahedron of second order"},
    {13, 13, "a prism of second order"},
    {14, 14, "a pyramid of second order"},
    {16, 16, "a quadrilateral of second order"},
    {17, 17, "a hexahedron of second order"},
    {18, 18, "a prism of second order"},
    {19, 19, "a pyramid of second order"},
    {20, 25, "a triangle of third to fifth order"},
    {26, 28, "a line of third to fifth order"},
    {29, 31, "a tetrahedron of third to fifth order"},
    {34, 35, "a polygon or polyhedron"},
    {92, 93, "a hexahedron of third or fourth order"},
};

} // namespace

std::optional<shape> shape_of_msh_type(std::int64_t type) noexcept {
  for (auto const& [number, kind] : known)
    if (number == type)
      return kind;
  return std::nullopt;
}

std::string refusal_of_msh_type(std::int64_t type) {
  std::string_view name = "of which nothing is known";
  for (type_name const& range : curved)
    if (range.first <= type && type <= range.last)
      name = range.name;
  return fmt::format("element type {}, {} (expected one with straight sides: 1 to 7 or 15)", type,
                     name);
}

} // namespace seam::detail
