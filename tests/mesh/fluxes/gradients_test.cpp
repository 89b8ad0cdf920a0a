// Gradients by least squares: of linear functions, across periods, on any ranks.
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/unit_boxes.hpp>

#include <seam/mesh/entities/identify.hpp>
#include <seam/mesh/fluxes/gradients.hpp>
#include <seam/mesh/roles/mesh_steps.hpp>

#include <cmath>
#include <map>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

vec<3> center_of(Mesh const& mesh, local_id cell) {
  return detail::leading<3>(mesh.center(mesh.num_dimensions(), cell));
}

/// The vector between two places of a torus of length 1 along each axis.
vec<3> nearest(vec<3> away, int num_dimensions) {
  for (int axis = 0; axis < num_dimensions; ++axis)
    away[axis] -= std::round(away[axis]);
  return away;
}

mesh_input torus(Communicator const& over, shape of) {
  auto box = box_mesh(over, of, {6, 5, 7});
  for (int axis = 0; axis < dimensions_of(of); ++axis)
    identify(over, box, 2 * axis + 1, 2 * axis + 2);
  return box;
}

/// The weights of each pair of cells, by their ids.
std::map<std::pair<global_id, global_id>, vec<2>> weights_by_id(Mesh const& mesh) {
  auto const found = find_gradients<2>(mesh);
  auto const& ids = mesh.cells().ids;
  std::map<std::pair<global_id, global_id>, vec<2>> weights;
  for (local_id c = 0; c < found.neighbors.num_rows(); ++c)
    for (auto k = found.neighbors.a2ab[std::size_t(c)];
         k < found.neighbors.a2ab[std::size_t(c) + 1]; ++k)
      weights[{ids[std::size_t(c)], ids[std::size_t(found.neighbors.ab2b[std::size_t(k)])]}] =
          found.weights[std::size_t(k)];
  return weights;
}

/// Checks that a kernel finds the slopes of two linear functions at all cells.
template <int N>
void check_linear(Mesh const& mesh) {
  vec<3> const first{2, -3, 0.5}, second{0, 1, 4};
  auto u = mesh.field<vec<2>>("u", cells);
  auto slope = mesh.field<std::array<vec<2>, N>>("slope", cells);
  auto one = mesh.field<double>("one", cells);
  auto along = mesh.field<vec<N>>("along", cells);
  for (local_id c = 0; c < mesh.cells().num_local(); ++c) {
    vec<3> const center = center_of(mesh, c);
    u(c) = {{1 + dot(first, center), dot(second, center)}};
    one(c) = 7 - dot(first, center);
  }
  auto const around = find_gradients<N>(mesh);
  Steps step(mesh);
  step.each(
      "slope", writes(slope), reads(u, around.neighbors), reads(around.weights),
      SEAM_KERNEL(auto slope, auto u, auto weights) { slope = gradient(weights, u); });
  step.each(
      "along", writes(along), reads(one, around.neighbors), reads(around.weights),
      SEAM_KERNEL(auto along, auto one, auto weights) { along = gradient(weights, one); });
  step.run();
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    for (int axis = 0; axis < N; ++axis) {
      REQUIRE(along(c)[axis] == Approx(-first[axis]).margin(1e-9));
      REQUIRE(slope(c)[std::size_t(axis)][0] == Approx(first[axis]).margin(1e-9));
      REQUIRE(slope(c)[std::size_t(axis)][1] == Approx(second[axis]).margin(1e-9));
    }
}

} // namespace

TEST_CASE("gradients of linear functions are exact on cells of all shapes, moved at random") {
  Communicator const all = world();
  for (box_family const& family : box_families()) {
    CAPTURE(family.name);
    Mesh const mesh = scattered(family(all, 3), 5);
    if (mesh.num_dimensions() == 2)
      check_linear<2>(mesh);
    else
      check_linear<3>(mesh);
  }
}

TEST_CASE("vectors to sides lead from either cell to the same place, across periods, too") {
  Communicator const all = world();
  for (shape const of : {shape::triangle, shape::quadrilateral, shape::tetrahedron}) {
    CAPTURE(int(of));
    Mesh const mesh = scattered(Mesh(all, torus(all, of)), 9);
    int const d = mesh.num_dimensions();
    auto const to_side = vectors_to_sides<3>(mesh);
    auto const normal = normals<3>(mesh);
    for (local_id side = 0; side < mesh.sides().num_owned; ++side) {
      auto const beside = mesh.adjacent(d - 1, d)[side];
      auto const [first, second] = to_side(side);
      REQUIRE(beside.size() == 2);
      REQUIRE(dot(first, normal(side)) > 0);
      REQUIRE(dot(second, normal(side)) < 0);
      vec<3> const apart = nearest(center_of(mesh, beside[1]) - center_of(mesh, beside[0]), d);
      REQUIRE(length(first - second - apart) < 1e-14);
    }
  }
}

TEST_CASE("gradients across periods are those of the plane that repeats itself") {
  Communicator const all = world();
  for (shape const of : {shape::triangle, shape::quadrilateral}) {
    Mesh const mesh = scattered(Mesh(all, torus(all, of)), 9);
    auto const found = find_gradients<2>(mesh);
    for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
      vec<2> along_x, along_y;
      for (auto k = found.neighbors.a2ab[std::size_t(c)];
           k < found.neighbors.a2ab[std::size_t(c) + 1]; ++k) {
        vec<3> const away =
            nearest(center_of(mesh, found.neighbors.ab2b[std::size_t(k)]) - center_of(mesh, c), 2);
        along_x += away[0] * found.weights[std::size_t(k)];
        along_y += away[1] * found.weights[std::size_t(k)];
      }
      REQUIRE(length(along_x - vec<2>{1, 0}) < 1e-12);
      REQUIRE(length(along_y - vec<2>{0, 1}) < 1e-12);
    }
  }
}

TEST_CASE("weights have the same bits on any ranks") {
  auto const expected = weights_by_id(Mesh(alone(), torus(alone(), shape::triangle)));
  Communicator const all = world();
  for (auto const& [pair, weight] :
       weights_by_id(scattered(Mesh(all, torus(all, shape::triangle)), 4)))
    REQUIRE(weight == expected.at(pair));
}

TEST_CASE("gradients that cells do not have are refused") {
  Communicator const all = world();
  Mesh const strip(all, box_mesh(all, shape::quadrilateral, {8, 1, 1}));
  CHECK_THAT(refusal_of([&] { find_gradients<2>(strip); }),
             Contains("gradients: cell ") && Contains("lie in a line (expected cells in 2"));
  Mesh const plane(all, box_mesh(all, shape::quadrilateral, {8, 8, 1}));
  CHECK_THAT(refusal_of([&] { find_gradients<3>(plane); }), Contains("lie in a plane or a line"));
  CHECK_THAT(refusal_of([&] { find_gradients<1>(plane); }), Contains("gradients: 1 coordinates"));
  CHECK_THAT(refusal_of([&] { find_gradients<2>(plane.with_ghosts({.depth = 1, .through = 1})); }),
             Contains("layers of ghost cells through"));
}
