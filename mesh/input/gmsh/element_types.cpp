#include <seam/mesh/input/gmsh/element_types.hpp>

#include <fmt/format.h>

#include <string_view>

namespace seam::detail {
namespace {

struct known_type {
  int number;
  msh_element_type is;
};

constexpr known_type known[] = {
    {1, {shape::line, 2}},           {2, {shape::triangle, 3}},      {3, {shape::quadrilateral, 4}},
    {4, {shape::tetrahedron, 4}},    {5, {shape::hexahedron, 8}},    {6, {shape::prism, 6}},
    {7, {shape::pyramid, 5}},        {8, {shape::line, 3}},          {9, {shape::triangle, 6}},
    {10, {shape::quadrilateral, 9}}, {11, {shape::tetrahedron, 10}}, {12, {shape::hexahedron, 27}},
    {13, {shape::prism, 18}},        {14, {shape::pyramid, 14}},     {15, {shape::point, 1}},
    {16, {shape::quadrilateral, 8}}, {17, {shape::hexahedron, 20}},  {18, {shape::prism, 15}},
    {19, {shape::pyramid, 13}}};

struct type_name {
  int first, last;
  std::string_view name;
};

constexpr type_name refused[] = {
    {20, 25, "a triangle of third to fifth order"},    {26, 28, "a line of third to fifth order"},
    {29, 31, "a tetrahedron of third to fifth order"}, {34, 35, "a polygon or polyhedron"},
    {92, 93, "a hexahedron of third or fourth order"},
};

} // namespace

std::optional<msh_element_type> find_msh_type(std::int64_t number) noexcept {
  for (known_type const& type : known)
    if (type.number == number)
      return type.is;
  return std::nullopt;
}

std::string refusal_of_msh_type(std::int64_t type) {
  std::string_view name = "of which nothing is known";
  for (type_name const& range : refused)
    if (range.first <= type && type <= range.last)
      name = range.name;
  return fmt::format("element type {}, {} (expected one of first or second order: 1 to 19)", type,
                     name);
}

} // namespace seam::detail
