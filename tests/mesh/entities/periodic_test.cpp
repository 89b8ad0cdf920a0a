// Periodic meshes: beside lattices that are counted by hand.
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/mesh/entities/identify.hpp>
#include <seam/mesh/fields/sum.hpp>
#include <seam/mesh/fluxes/geometry.hpp>
#include <seam/mesh/fluxes/two_point_flux.hpp>
#include <seam/mesh/fluxes/vertex_flux.hpp>
#include <seam/mesh/graphs/coloring.hpp>
#include <seam/mesh/graphs/divided.hpp>
#include <seam/mesh/input/elements.hpp>

#include <cmath>
#include <numbers>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

/// A box that repeats itself along some axes. Bits of `axes` say along which.
mesh_input periodic_box(Communicator const& over, shape of, std::array<std::int64_t, 3> bricks,
                        int axes, std::array<double, 3> lengths = {1, 1, 1}) {
  mesh_input box = box_mesh(over, of, bricks, lengths);
  for (int axis = 0; axis < dimensions_of(of); ++axis)
    if ((axes >> axis & 1) != 0)
      identify(over, box, 2 * axis + 1, 2 * axis + 2);
  return box;
}

/// Which axes are tried: each set of them once, by one shape or another.
std::vector<int> axes_of(shape of) {
  switch (of) {
  case shape::line: return {1};
  case shape::triangle: return {2, 3};
  case shape::quadrilateral: return {1, 3};
  case shape::tetrahedron: return {1, 7};
  case shape::pyramid: return {2, 4};
  case shape::prism: return {3, 5};
  default: return {6, 7};
  }
}

std::int64_t own_sum(Mesh const& mesh, std::int64_t own) {
  return mpi::allreduce(mesh.base().context(), own, MPI_SUM);
}

double total(MeshField<double> const& of) { return sum(of); }

/// Sides with one cell, on all ranks.
std::int64_t num_border_sides(Mesh const& mesh) {
  int const d = mesh.num_dimensions();
  std::int64_t own = 0;
  for (local_id side = 0; side < mesh.sides().num_owned; ++side)
    own += mesh.adjacent(d - 1, d)[side].size() == 1 ? 1 : 0;
  return own_sum(mesh, own);
}

constexpr shape all_shapes[] = {shape::line,        shape::triangle, shape::quadrilateral,
                                shape::tetrahedron, shape::pyramid,  shape::prism,
                                shape::hexahedron};

double square_of(double x) { return x * x; }

} // namespace

TEST_CASE("a periodic box has the vertices, border and volume of a lattice that closes on itself") {
  Communicator const all = world();
  std::array<std::int64_t, 3> const bricks{4, 3, 5};
  for (shape const of : all_shapes) {
    int const d = dimensions_of(of);
    for (int const axes : axes_of(of)) {
      CAPTURE(int(of), axes);
      Mesh const mesh = scattered(Mesh(all, periodic_box(all, of, bricks, axes, {2, 3, 0.5})), 7);
      REQUIRE(mesh.problem().empty());
      std::int64_t corners = 1, num_bricks = 1, periods = 0;
      double volume = 1;
      for (int axis = 0; axis < d; ++axis) {
        bool const is_periodic = (axes >> axis & 1) != 0;
        corners *= bricks[std::size_t(axis)] + (is_periodic ? 0 : 1);
        num_bricks *= bricks[std::size_t(axis)];
        volume *= std::array{2.0, 3.0, 0.5}[std::size_t(axis)];
        periods += is_periodic ? 1 : 0;
      }
      CHECK(std::ssize(mesh.periods()) == periods);
      CHECK(mesh.vertices().num_global == corners + (of == shape::pyramid ? num_bricks : 0));
      CHECK(total(volumes(mesh)) == Approx(volume));
      if (axes == (1 << d) - 1) {
        CHECK(num_border_sides(mesh) == 0);
        std::int64_t sign = 1, euler = 0; // a torus of any dimension has the characteristic 0
        for (int k = 0; k <= d; ++k, sign = -sign)
          euler += sign * mesh.entities(k).num_global;
        CHECK(euler == 0);
      }
      CHECK((num_border_sides(mesh) == 0) == (axes == (1 << d) - 1));
    }
  }
}

TEST_CASE("normals of a periodic box close around each cell, and centers lie beside each other") {
  Communicator const all = world();
  for (shape const of : all_shapes) {
    int const d = dimensions_of(of);
    CAPTURE(int(of));
    Mesh const mesh = scattered(Mesh(all, periodic_box(all, of, {3, 4, 3}, (1 << d) - 1)), 2);
    auto const normal = normals<3>(mesh);
    for (local_id c = 0; c < mesh.cells().num_local(); ++c) {
      vec<3> around;
      auto const sides = mesh.adjacent(d, d - 1)[c];
      for (int k = 0; k < std::ssize(sides); ++k) {
        local_id const side = sides[std::size_t(k)];
        vec<3> const out = outward(mesh, c, k) * normal(side);
        around += out;
        vec<3> to_side = detail::leading<3>(mesh.center(d - 1, side));
        to_side += detail::leading<3>(mesh.offset(c, d - 1, side));
        to_side -= detail::leading<3>(mesh.center(d, c));
        REQUIRE(dot(out, to_side) > 0);
        REQUIRE(length(to_side) < 0.5);
      }
      REQUIRE(length(around) < 1e-15);
    }
  }
}

TEST_CASE("entities of a periodic mesh have the same places on any ranks") {
  Communicator const all = world(), self = alone();
  for (shape const of : all_shapes) {
    int const every = (1 << dimensions_of(of)) - 1;
    Mesh const serial(self, periodic_box(self, of, {3, 3, 3}, every));
    int const depth = of == shape::prism ? 0 : of == shape::tetrahedron ? 2 : 1;
    CAPTURE(int(of), depth);
    Mesh const mesh = scattered(Mesh(all, periodic_box(all, of, {3, 3, 3}, every)), 5)
                          .with_ghosts({.depth = depth, .through = 0});
    REQUIRE(mesh.problem().empty());
    CHECK(is_part_of(mesh, serial));
    CHECK(std::ranges::equal(mesh.periods(), serial.periods()));
  }
}

TEST_CASE("heat on a periodic square follows the stencil of bilinear elements on a torus") {
  Communicator const all = world();
  constexpr int n = 7, steps = 12;
  Mesh const mesh = scattered(Mesh(all, periodic_box(all, shape::quadrilateral, {n, n, 1}, 3)), 4);
  constexpr double h = 1.0 / n, dt = 0.1 * h * h;
  auto const initial = [](int i, int j) { return square_of(i) - 3 * j + (i == j ? 2 : 0); };
  auto const index = [](std::array<double, 3> const& place) {
    return std::array{int(std::lround(place[0] * n)) % n, int(std::lround(place[1] * n)) % n};
  };
  auto u = mesh.field<double>("u", vertices), next = mesh.field<double>("next", vertices);
  for (local_id v = 0; v < mesh.vertices().num_local(); ++v) {
    auto const [i, j] = index(mesh.center(0, v));
    u(v) = initial(i, j);
  }
  auto const fluxes = find_vertex_fluxes(mesh);
  auto halo = make_halo(u);
  std::vector<double> grid(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      grid[std::size_t(n * i + j)] = initial(i, j);
  for (int step = 0; step < steps; ++step) {
    for (local_id v = 0; v < mesh.vertices().num_owned; ++v) {
      REQUIRE(fluxes.neighbors[v].size() == 8);
      next(v) = u(v) + dt / fluxes.volumes[std::size_t(v)] * fluxes.inflow(v, u);
    }
    std::ranges::copy(next.values().first(std::size_t(mesh.vertices().num_owned)),
                      u.values().begin());
    halo.run();
    auto const old = grid;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double inflow = 0; // all eight neighbors have the conductance 1/3
        for (int a = -1; a <= 1; ++a)
          for (int b = -1; b <= 1; ++b)
            inflow += (old[std::size_t(n * ((i + a + n) % n) + (j + b + n) % n)] -
                       old[std::size_t(n * i + j)]) /
                      3;
        grid[std::size_t(n * i + j)] += dt / (h * h) * inflow;
      }
  }
  for (local_id v = 0; v < mesh.vertices().num_local(); ++v) {
    auto const [i, j] = index(mesh.center(0, v));
    REQUIRE(u(v) == Approx(grid[std::size_t(n * i + j)]).epsilon(1e-11));
  }
}

TEST_CASE("two-point fluxes of a periodic box are those of a lattice that closes on itself") {
  Communicator const all = world();
  for (int axes = 1; axes < 8; ++axes) {
    Mesh const mesh =
        scattered(Mesh(all, periodic_box(all, shape::hexahedron, {4, 3, 5}, axes, {4, 3, 5})), 9);
    auto const fluxes = find_two_point_fluxes(mesh);
    std::int64_t num_border = 0;
    for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
      auto const place = mesh.center(3, c);
      std::int64_t expected = 6;
      for (int axis = 0; axis < 3; ++axis) {
        std::int64_t const at = std::lround(place[std::size_t(axis)] - 0.5),
                           last = std::array{3, 2, 4}[std::size_t(axis)];
        expected -= (axes >> axis & 1) == 0 && (at == 0 || at == last) ? 1 : 0;
      }
      REQUIRE(std::ssize(fluxes.between.neighbors[c]) == expected);
      num_border += 6 - expected;
    }
    for (double const conductance : fluxes.between.conductances)
      REQUIRE(conductance == Approx(1));
    CHECK(std::ssize(fluxes.border) == num_border);
  }
}

TEST_CASE("a divided periodic mesh and its colors are those of any ranks") {
  Communicator const all = world(), self = alone();
  for (shape const of : {shape::triangle, shape::tetrahedron}) {
    int const every = (1 << dimensions_of(of)) - 1;
    Mesh const serial = divided(self, periodic_box(self, of, {4, 4, 4}, every));
    Mesh const mesh = divided(all, periodic_box(all, of, {4, 4, 4}, every));
    REQUIRE(mesh.problem().empty());
    CHECK(is_part_of(mesh, serial));
    auto const graph = dual_graph(mesh);
    for (local_id c = 0; c < graph.num_nodes(); ++c)
      REQUIRE(std::ssize(graph.neighbors(c)) == dimensions_of(of) + 1);
    auto const colors = color_graph(all, graph), expected = color_graph(self, dual_graph(serial));
    for (local_id c = 0; c < mesh.cells().num_owned; ++c)
      REQUIRE(colors[std::size_t(c)] == expected[std::size_t(mesh.cells().ids[std::size_t(c)])]);
  }
}

TEST_CASE("skew periods, and corners joined over two borders at once, are found") {
  Communicator const all = world();
  mesh_input box = box_mesh(all, shape::quadrilateral, {4, 5, 1});
  for (std::size_t v = 0; v < box.vertex_ids.size(); ++v)
    box.coordinates[3 * v] +=
        0.25 * box.coordinates[3 * v + 1]; // the top lies a brick to the right
  identify(all, box, 1, 2);
  identify(all, box, 3, 4, std::array{0.25, 1.0, 0.0});
  if (all.rank() == 0)
    box.joined.push_back({29, 0}); // the corner at the top right and that at the origin
  Mesh const mesh = scattered(Mesh(all, box), 1);
  CHECK(mesh.problem().empty());
  CHECK(mesh.vertices().num_global == 20);
  CHECK(mesh.periods().size() == 2);
  CHECK(total(volumes(mesh)) == Approx(1));
  CHECK(num_border_sides(mesh) == 0);
}

TEST_CASE("pairs may be given by any rank, in any direction, and more than once") {
  Communicator const all = world();
  mesh_input box = box_mesh(all, shape::quadrilateral, {3, 2, 1});
  for (global_id row = 0; row < 3; ++row) {
    if (all.rank() == row % all.size())
      box.joined.push_back({4 * row, 4 * row + 3});
    if (all.rank() == all.size() - 1)
      box.joined.push_back({4 * row + 3, 4 * row});
  }
  Mesh const mesh(all, box);
  CHECK(mesh.problem().empty());
  CHECK(mesh.vertices().num_global == 9);
}

TEST_CASE("periods of one or two cells are refused, three are enough") {
  Communicator const all = world();
  for (shape const of : all_shapes) {
    CAPTURE(int(of));
    for (std::int64_t n : {1, 2})
      CHECK_THAT(refusal_of([&] {
                   Mesh(all, periodic_box(all, of, {n, 4, 4}, 1));
                 }),
                 Contains("mesh: ") && Contains("(expected"));
    CHECK(Mesh(all, periodic_box(all, of, {3, 4, 4}, 1)).is_valid());
  }
}

TEST_CASE("vertices that do not match are refused on all ranks") {
  Communicator const all = world();
  auto const with_pairs = [&](std::vector<joined_vertices> const& pairs) {
    mesh_input box = box_mesh(all, shape::quadrilateral, {4, 4, 1});
    if (all.rank() == all.size() - 1)
      box.joined = pairs;
    return refusal_of([&] { Mesh(all, box); });
  };
  // The left border has vertices 0, 5, ..., 20, the right one 4, 9, ..., 24.
  CHECK_THAT(with_pairs({{0, 4}, {5, 9}, {10, 14}, {15, 24}, {20, 24}}),
             Contains("are joined, but lie") && Contains("expected vertices that match"));
  CHECK_THAT(with_pairs({{0, 4}, {5, 9}, {10, 14}, {15, 19}, {20, 99}}),
             Contains("mesh: a pair of joined vertices with vertex 99"));
  // The left border has two sides where the right one has one, whose vertices are joined.
  mesh_input strip;
  strip.num_dimensions = 2;
  if (all.rank() == 0) {
    for (global_id v = 0; v < 8; ++v) {
      strip.vertex_ids.push_back(v);
      strip.coordinates.insert(strip.coordinates.end(), {double(v % 4), double(v / 4), 0});
    }
    strip.vertex_ids.push_back(8);
    strip.coordinates.insert(strip.coordinates.end(), {0, 0.5, 0});
    using corners = std::vector<global_id>;
    detail::append(strip.cells, shape::triangle, 0, 0, corners{0, 1, 8});
    detail::append(strip.cells, shape::triangle, 1, 0, corners{1, 5, 8});
    detail::append(strip.cells, shape::triangle, 2, 0, corners{5, 4, 8});
    detail::append(strip.cells, shape::quadrilateral, 3, 0, corners{1, 2, 6, 5});
    detail::append(strip.cells, shape::quadrilateral, 4, 0, corners{2, 3, 7, 6});
    strip.joined = {{3, 0}, {7, 4}};
  }
  CHECK_THAT(
      refusal_of([&] { Mesh(all, strip); }),
      Contains("mesh: a side of cell 4 with vertex 0 is joined to the vertices of no other"));
}

TEST_CASE("borders that do not match are refused, and tags that no border has") {
  Communicator const all = world();
  mesh_input box = box_mesh(all, shape::triangle, {4, 4, 1});
  CHECK_THAT(refusal_of([&] { identify(all, box, 1, 3); }),
             Contains("identify: vertex") && Contains("of the border with tag"));
  CHECK_THAT(refusal_of([&] { identify(all, box, 1, 9); }),
             Contains("identify: tag 9 (expected that of boundary elements of dimension 1)"));
  CHECK_THAT(refusal_of([&] { identify(all, box, 1, 1); }),
             Contains("identify: a translation by (0, 0, 0) from tag 1 to tag 1"));
  CHECK_THAT(refusal_of([&] {
               identify(all, box, 1, 2, std::array{HUGE_VAL, 0.0, 0.0});
             }),
             Contains("identify: a translation by (inf, 0, 0)"));
  CHECK_THAT(refusal_of([&] {
               identify(all, box, 1, 2, std::array{1.0, 0.1, 0.0});
             }),
             Contains("identify: vertex"));
  for (std::size_t v = 0; v < box.vertex_ids.size(); ++v)
    if (box.coordinates[3 * v] == 1 && box.coordinates[3 * v + 1] == 0.5)
      box.coordinates[3 * v + 1] = 0.51;
  CHECK_THAT(refusal_of([&] { identify(all, box, 1, 2); }), Contains("identify: vertex"));
}

TEST_CASE("the share of a periodic mesh is the same mesh again") {
  Communicator const all = world();
  Mesh const mesh(all, periodic_box(all, shape::prism, {3, 3, 3}, 5));
  Mesh const again(all, mesh.share());
  CHECK(again.problem().empty());
  CHECK(is_part_of(again, mesh));
  auto broken = mesh.share();
  broken.periods.clear();
  CHECK_THAT(refusal_of([&] { Mesh(all, broken); }), Contains("mesh: 0 periods and"));
}

TEST_CASE("groups are found by name, number and dimension") {
  Communicator const all = world();
  mesh_input box = box_mesh(all, shape::triangle, {3, 3, 1});
  box.groups.push_back({2, 7, "fluid"});
  box.groups.push_back({2, 8, "x0"});
  Mesh const mesh = scattered(Mesh(all, box), 3);
  CHECK(mesh.tag("y1") == 4);
  CHECK(mesh.tag("fluid", cells) == 7);
  CHECK(mesh.tag("x0", sides) == 1);
  CHECK(mesh.tag("x0", cells) == 8);
  CHECK(mesh.tag("12", sides) == 12);
  CHECK_THAT(refusal_of([&] { mesh.tag("x0"); }), Contains("mesh: group 'x0' (expected one whose"));
  CHECK_THAT(refusal_of([&] { mesh.tag("fluid", sides); }),
             Contains("mesh: group 'fluid' (expected a name of lines, or a number; the mesh has "
                      "'x0' of lines (tag 1), "));
  CHECK_THAT(refusal_of([&] { Mesh(all, mesh_of_kind(all, 7)).tag("wal"); }),
             Contains("group 'wal'"));
  if (all.size() > 1) {
    if (all.rank() == 1)
      box.groups.back().name = "x9";
    CHECK_THAT(refusal_of([&] { Mesh(all, box); }), Contains("mesh: names of groups"));
  }
}
