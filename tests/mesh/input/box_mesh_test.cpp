// Boxes of every shape: their cells fill them, and their ends are tagged.
#include <support/catch.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/box_mesh.hpp>
#include <seam/mesh/partition/migrate.hpp>

#include <cmath>
#include <map>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

using point = std::array<double, 3>;

point operator-(point const& a, point const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
point cross(point const& a, point const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(point const& a, point const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The volume of a tetrahedron; below 0 if it is turned inside out.
double of_tetrahedron(point const& a, point const& b, point const& c, point const& d) {
  return dot(cross(b - a, c - a), d - a) / 6;
}

/// The length, area or volume of a cell, as the sum of simplices; below 0 if it is turned.
double measure(shape of, std::vector<point> const& c) {
  auto const triangle = [&](int i, int j, int k) {
    point const n = cross(c[j] - c[i], c[k] - c[i]);
    return std::sqrt(dot(n, n)) / 2;
  };
  auto const tetrahedron = [&](int i, int j, int k, int l) {
    return of_tetrahedron(c[i], c[j], c[k], c[l]);
  };
  switch (of) {
  case shape::point: return 1;
  case shape::line: return std::sqrt(dot(c[1] - c[0], c[1] - c[0]));
  case shape::triangle: return triangle(0, 1, 2);
  case shape::quadrilateral: return triangle(0, 1, 2) + triangle(0, 2, 3);
  case shape::tetrahedron: return tetrahedron(0, 1, 2, 3);
  case shape::pyramid: return tetrahedron(0, 1, 2, 4) + tetrahedron(0, 2, 3, 4);
  case shape::prism:
    return tetrahedron(0, 1, 2, 3) + tetrahedron(1, 2, 3, 4) + tetrahedron(2, 3, 4, 5);
  default:
    return tetrahedron(0, 1, 2, 6) + tetrahedron(0, 5, 1, 6) + tetrahedron(0, 2, 3, 6) +
           tetrahedron(0, 3, 7, 6) + tetrahedron(0, 4, 5, 6) + tetrahedron(0, 7, 4, 6);
  }
}

/// A vertex, or an element, as it is sent to rank 0.
struct vertex_record {
  global_id id;
  point place;
};
struct element_record {
  shape of;
  std::int32_t tag;
  global_id id;
  std::array<global_id, 8> vertices;
};

template <class T>
std::vector<T> on_rank_0(Communicator const& over, std::vector<T> const& own) {
  return migrate<T>(over, std::span<T const>(own), std::vector<int>(own.size(), 0));
}

std::vector<element_record> records_of(element_list const& list) {
  std::vector<element_record> all;
  for (std::size_t e = 0; e < list.ids.size(); ++e) {
    element_record made{list.shapes[e], list.tags[e], list.ids[e], {}};
    for (auto k = list.elements2vertices[e]; k < list.elements2vertices[e + 1]; ++k)
      made.vertices[k - list.elements2vertices[e]] = list.vertices[k];
    all.push_back(made);
  }
  return all;
}

/// A whole box, on rank 0.
struct whole_box {
  whole_box(Communicator const& over, mesh_input const& own) {
    std::vector<vertex_record> vertices;
    for (std::size_t v = 0; v < own.vertex_ids.size(); ++v)
      vertices.push_back(
          {own.vertex_ids[v],
           {own.coordinates[3 * v], own.coordinates[3 * v + 1], own.coordinates[3 * v + 2]}});
    for (vertex_record const& sent : on_rank_0(over, vertices))
      CHECK(places.try_emplace(sent.id, sent.place).second);
    cells = on_rank_0(over, records_of(own.cells));
    ends = on_rank_0(over, records_of(own.boundary));
  }

  double measure_of(element_record const& element) const {
    std::vector<point> corners;
    for (int k = 0; k < num_vertices_of(element.of); ++k)
      corners.push_back(places.at(element.vertices[k]));
    return measure(element.of, corners);
  }

  std::map<global_id, point> places;
  std::vector<element_record> cells, ends;
};

constexpr std::array<int, num_shapes> cells_of_brick{0, 1, 2, 1, 6, 6, 2, 1};
constexpr std::array<std::int64_t, 3> bricks{3, 2, 4};
constexpr point lengths{2, 0.5, 3};

} // namespace

TEST_CASE("the cells of a box fill it, none is turned, and ids are distinct") {
  Communicator const all = world();
  for (int s = 1; s < num_shapes; ++s) {
    CAPTURE(s);
    auto const of = static_cast<shape>(s);
    mesh_input const own = box_mesh(all, of, bricks, lengths);
    whole_box const box(all, own);
    CHECK(own.num_dimensions == dimensions_of(of));
    if (all.rank() != 0)
      continue;
    std::size_t num_bricks = 1;
    double expected = 1, sum = 0;
    for (int axis = 0; axis < dimensions_of(of); ++axis) {
      num_bricks *= bricks[axis];
      expected *= lengths[axis];
    }
    CHECK(box.cells.size() == num_bricks * cells_of_brick[s]);
    std::map<global_id, int> ids;
    for (element_record const& cell : box.cells) {
      CHECK(cell.of == of);
      CHECK(++ids[cell.id] == 1);
      CHECK(box.measure_of(cell) > 0);
      sum += box.measure_of(cell);
    }
    CHECK(std::abs(sum - expected) < 1e-12 * expected);
  }
}

TEST_CASE("each end of a box has its tag, and sides inside have none") {
  Communicator const all = world();
  for (int s = 1; s < num_shapes; ++s) {
    CAPTURE(s);
    auto const of = static_cast<shape>(s);
    int const d = dimensions_of(of);
    whole_box const box(all, box_mesh(all, of, bricks, lengths));
    if (all.rank() != 0)
      continue;
    std::map<int, double> sums;
    for (element_record const& end : box.ends) {
      sums[end.tag] += box.measure_of(end);
      int const axis = (end.tag - 1) / 2;
      double const at = end.tag % 2 == 1 ? 0 : lengths[axis];
      for (int k = 0; k < num_vertices_of(end.of); ++k)
        CHECK(box.places.at(end.vertices[k])[axis] == at);
    }
    CHECK(std::ssize(sums) == 2 * d);
    for (auto const& [tag, sum] : sums) {
      double expected = 1;
      for (int axis = 0; axis < d; ++axis)
        expected *= axis == (tag - 1) / 2 ? 1 : lengths[axis];
      CHECK(std::abs(sum - expected) < 1e-12 * expected);
    }
  }
}

TEST_CASE("ranks share the bricks and the vertices of a box evenly") {
  Communicator const all = world();
  for (int s = 1; s < num_shapes; ++s) {
    mesh_input const own = box_mesh(all, static_cast<shape>(s), bricks, lengths);
    for (std::int64_t const count :
         {std::ssize(own.cells.ids) / cells_of_brick[s], std::ssize(own.vertex_ids)}) {
      auto const most = mpi::allreduce(all, count, MPI_MAX);
      CHECK(most - mpi::allreduce(all, count, MPI_MIN) <= 1);
    }
  }
}

TEST_CASE("a box of no bricks, or of points, is refused by all ranks") {
  Communicator const all = world();
  CHECK_THROWS_AS(box_mesh(all, shape::point, {1, 1, 1}), usage_error);
  CHECK_THROWS_AS(box_mesh(all, shape::triangle, {3, 0, 1}), usage_error);
  CHECK_THROWS_AS(box_mesh(all, shape::line, {-1, 1, 1}), usage_error);
  CHECK(mpi::allreduce(all,
                       std::int64_t{box_mesh(all, shape::line, {5, 0, -7}).cells.num_elements()},
                       MPI_SUM) == 5); // axes beyond the shape's are ignored
}
