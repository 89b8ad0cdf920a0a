// Parts of shapes: judged by a corner of space in which each shape lies.
#include <seam/mesh/shapes/shape.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

using namespace seam;

namespace {

using point = std::array<double, 3>;

point minus(point const& a, point const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(point const& a, point const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
point cross(point const& a, point const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::map<shape, std::vector<point>> const corners{
    {shape::tetrahedron, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {shape::pyramid, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}}},
    {shape::prism, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}},
    {shape::hexahedron,
     {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}};

point center_of(std::vector<point> const& of) {
  point sum{};
  for (point const& each : of)
    for (int i = 0; i < 3; ++i)
      sum[i] += each[i] / double(of.size());
  return sum;
}

std::vector<int> vertices_of(shape_part const& part) {
  return {part.positions().begin(), part.positions().end()};
}

std::set<int> edge_between(int a, int b) { return {a, b}; }

} // namespace

TEST_CASE("vertices, edges and faces of a solid obey Euler's formula") {
  for (auto const& [solid, points] : corners) {
    INFO("shape " << int(solid));
    CHECK(std::ssize(points) == num_vertices_of(solid));
    CHECK(std::ssize(parts_of(solid, 0)) == num_vertices_of(solid));
    CHECK(std::ssize(parts_of(solid, 0)) - std::ssize(parts_of(solid, 1)) +
              std::ssize(parts_of(solid, 2)) ==
          2);
  }
}

TEST_CASE(
    "each edge of a solid lies between two faces, which run along it in opposite directions") {
  for (auto const& [solid, points] : corners) {
    INFO("shape " << int(solid));
    std::set<std::vector<int>> directed;
    std::map<std::set<int>, int> edges2faces;
    for (shape_part const& face : parts_of(solid, 2)) {
      auto const around = vertices_of(face);
      for (int k = 0; k < std::ssize(around); ++k) {
        int const from = around[k], to = around[(k + 1) % std::ssize(around)];
        CHECK(directed.insert({from, to}).second);
        ++edges2faces[edge_between(from, to)];
      }
    }
    CHECK(edges2faces.size() == parts_of(solid, 1).size());
    for (shape_part const& edge : parts_of(solid, 1))
      CHECK(edges2faces[edge_between(edge.vertices[0], edge.vertices[1])] == 2);
  }
}

TEST_CASE("faces turn counterclockwise when seen from outside") {
  for (auto const& [solid, points] : corners)
    for (shape_part const& face : parts_of(solid, 2)) {
      std::vector<point> on_face;
      for (int vertex : vertices_of(face))
        on_face.push_back(points[vertex]);
      INFO("shape " << int(solid) << ", a face that begins at vertex " << int(face.vertices[0]));
      point const normal = cross(minus(on_face[1], on_face[0]), minus(on_face.back(), on_face[0]));
      CHECK(dot(normal, minus(center_of(on_face), center_of(points))) > 0);
    }
}

TEST_CASE("edges of a polygon follow each other around it") {
  for (shape const polygon : {shape::triangle, shape::quadrilateral}) {
    auto const edges = parts_of(polygon, 1);
    CHECK(std::ssize(edges) == num_vertices_of(polygon));
    for (int k = 0; k < std::ssize(edges); ++k)
      CHECK(edges[k].vertices[1] == edges[(k + 1) % std::ssize(edges)].vertices[0]);
  }
}

TEST_CASE("a shape's vertices are its parts without dimensions, in order") {
  for (int kind = 1; kind < num_shapes; ++kind) {
    auto const parts = parts_of(static_cast<shape>(kind), 0);
    REQUIRE(std::ssize(parts) == num_vertices_of(static_cast<shape>(kind)));
    for (int v = 0; v < std::ssize(parts); ++v)
      CHECK(vertices_of(parts[v]) == std::vector{v});
  }
}
