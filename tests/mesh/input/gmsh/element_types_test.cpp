// Gmsh's element types, as its reference manual lists them.
#include <support/catch.hpp>

#include <seam/mesh/input/gmsh/element_types.hpp>

#include <map>
#include <string>

using namespace seam;
using namespace seam::detail;
using Catch::Contains;

TEST_CASE("elements with straight sides have a shape of as many vertices and dimensions") {
  struct kind {
    int vertices, dimensions;
  };
  std::map<int, kind> const manual{{1, {2, 1}}, {2, {3, 2}}, {3, {4, 2}}, {4, {4, 3}},
                                   {5, {8, 3}}, {6, {6, 3}}, {7, {5, 3}}, {15, {1, 0}}};
  for (int type = -3; type <= 200; ++type) {
    CAPTURE(type);
    auto const found = shape_of_msh_type(type);
    auto const expected = manual.find(type);
    REQUIRE(found.has_value() == (expected != manual.end()));
    if (found) {
      CHECK(num_vertices_of(*found) == expected->second.vertices);
      CHECK(dimensions_of(*found) == expected->second.dimensions);
    }
  }
  CHECK_FALSE(shape_of_msh_type(std::int64_t{1} << 32 | 1));
}

TEST_CASE("the refusal of an element with curved sides names its kind") {
  struct range {
    int first, last;
    char const* words;
  };
  for (auto const& [first, last, words] :
       {range{8, 8, "line of second"}, range{9, 9, "triangle of second"},
        range{10, 10, "quadrilateral"}, range{11, 11, "tetrahedron of second"},
        range{12, 12, "hexahedron"}, range{13, 13, "prism"}, range{14, 14, "pyramid"},
        range{16, 16, "quadrilateral"}, range{17, 17, "hexahedron"}, range{18, 18, "prism"},
        range{19, 19, "pyramid"}, range{20, 25, "triangle of third"},
        range{26, 28, "line of third"}, range{29, 31, "tetrahedron of third"},
        range{92, 93, "hexahedron of"}, range{0, 0, "nothing is known"},
        range{140, 150, "nothing is known"}})
    for (int type = first; type <= last; ++type) {
      std::string const line = refusal_of_msh_type(type);
      CHECK_THAT(line, Contains("element type " + std::to_string(type) + ", ") && Contains(words) &&
                           Contains("(expected one with straight sides: 1 to 7 or 15)"));
    }
}
