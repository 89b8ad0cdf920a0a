// Gmsh's element types, as its reference manual lists them.
#include <support/catch.hpp>

#include <seam/mesh/input/gmsh/element_types.hpp>

#include <map>
#include <string>

using namespace seam;
using namespace seam::detail;
using Catch::Contains;

TEST_CASE("elements of first and second order have a shape, and as many nodes as they should") {
  struct kind {
    int vertices, dimensions, nodes;
  };
  std::map<int, kind> const manual{
      {1, {2, 1, 2}},   {2, {3, 2, 3}},   {3, {4, 2, 4}},   {4, {4, 3, 4}},   {5, {8, 3, 8}},
      {6, {6, 3, 6}},   {7, {5, 3, 5}},   {8, {2, 1, 3}},   {9, {3, 2, 6}},   {10, {4, 2, 9}},
      {11, {4, 3, 10}}, {12, {8, 3, 27}}, {13, {6, 3, 18}}, {14, {5, 3, 14}}, {15, {1, 0, 1}},
      {16, {4, 2, 8}},  {17, {8, 3, 20}}, {18, {6, 3, 15}}, {19, {5, 3, 13}}};
  for (int number = -3; number <= 200; ++number) {
    CAPTURE(number);
    auto const found = find_msh_type(number);
    auto const expected = manual.find(number);
    REQUIRE(found.has_value() == (expected != manual.end()));
    if (found) {
      CHECK(num_vertices_of(found->kind) == expected->second.vertices);
      CHECK(dimensions_of(found->kind) == expected->second.dimensions);
      CHECK(found->num_nodes == expected->second.nodes);
      CHECK(found->num_nodes <= most_msh_nodes);
      CHECK(found->is_second_order() == (number >= 8 && number != 15));
    }
  }
  CHECK_FALSE(find_msh_type(std::int64_t{1} << 32 | 1));
}

TEST_CASE("the refusal of an element of higher order names its kind") {
  struct range {
    int first, last;
    char const* words;
  };
  for (auto const& [first, last, words] :
       {range{20, 25, "triangle of third"}, range{26, 28, "line of third"},
        range{29, 31, "tetrahedron of third"}, range{92, 93, "hexahedron of"},
        range{0, 0, "nothing is known"}, range{140, 150, "nothing is known"}})
    for (int type = first; type <= last; ++type) {
      std::string const line = refusal_of_msh_type(type);
      CHECK_THAT(line, Contains("element type " + std::to_string(type) + ", ") && Contains(words) &&
                           Contains("(expected one of first or second order: 1 to 19)"));
    }
}
