// Sizes, centers and normals: of cells that close around themselves, on any ranks.
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/unit_boxes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/mesh/fluxes/geometry.hpp>
#include <seam/mesh/input/elements.hpp>

#include <cmath>
#include <map>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

double total(Mesh const& mesh, MeshField<double> const& of) {
  double sum = 0;
  for (local_id e = 0; e < of.entities().num_owned; ++e)
    sum += of(e);
  return mpi::allreduce(mesh.base().context(), sum, MPI_SUM);
}

/// All meshes of unit boxes, scattered over the ranks.
template <class Check>
void for_each_box(Check check) {
  Communicator const all = world();
  for (box_family const& family : box_families()) {
    CAPTURE(family.name);
    check(scattered(family(all, 3), 5));
  }
}

/// The bits of the normals of all sides, by their ids.
std::map<global_id, vec<3>> normals_by_id(Mesh const& mesh) {
  auto const normal = normals<3>(mesh);
  std::map<global_id, vec<3>> found;
  for (local_id side = 0; side < mesh.sides().num_local(); ++side)
    found[mesh.sides().ids[std::size_t(side)]] = normal(side);
  return found;
}

} // namespace

TEST_CASE("volumes of the unit box add up to 1, areas of its border to 4 or 6") {
  for_each_box([](Mesh const& mesh) {
    int const d = mesh.num_dimensions();
    CHECK(total(mesh, volumes(mesh)) == Approx(1));
    auto area = areas(mesh);
    for (local_id side = 0; side < mesh.sides().num_owned; ++side)
      if (mesh.adjacent(d - 1, d)[side].size() > 1)
        area(side) = 0;
    CHECK(total(mesh, area) == Approx(d == 2 ? 4 : 6));
  });
}

TEST_CASE("the outward normals of a cell add up to zero, and point away from its center") {
  for_each_box([](Mesh const& mesh) {
    int const d = mesh.num_dimensions();
    auto const normal = normals<3>(mesh);
    for (local_id c = 0; c < mesh.cells().num_local(); ++c) {
      vec<3> sum, center = detail::leading<3>(mesh.center(d, c));
      auto const around = mesh.adjacent(d, d - 1)[c];
      for (int k = 0; k < std::ssize(around); ++k) {
        vec<3> const out = outward(mesh, c, k) * normal(around[std::size_t(k)]);
        sum += out;
        vec<3> const to_side =
            detail::leading<3>(mesh.center(d - 1, around[std::size_t(k)])) - center;
        REQUIRE(dot(out, to_side) > 0);
      }
      REQUIRE(length(sum) < 1e-15);
    }
  });
}

TEST_CASE("a side is seen from its cell of least id, alike on any number of ranks and layers") {
  Communicator const all = world(), self = alone();
  for (box_family const& family : box_families()) {
    Mesh const serial = family(self, 3);
    auto const expected = normals_by_id(serial);
    int const d = serial.num_dimensions();
    for (int depth : {0, 1, 2}) {
      CAPTURE(family.name, depth);
      Mesh const mesh = scattered(family(all, 3), 7).with_ghosts({.depth = depth, .through = 0});
      REQUIRE(mesh.problem().empty());
      for (auto const& [id, normal] : normals_by_id(mesh))
        REQUIRE(normal == expected.at(id));
      for (local_id side = 0; side < mesh.sides().num_local(); ++side) {
        auto const& ids = serial.sides().ids;
        auto const same = local_id(
            std::ranges::lower_bound(ids, mesh.sides().ids[std::size_t(side)]) - ids.begin());
        auto const cells_around = serial.adjacent(d - 1, d)[same];
        REQUIRE(mesh.first_cell(side) == serial.cells().ids[std::size_t(cells_around.front())]);
      }
    }
  }
}

TEST_CASE("lists of entities around another ascend by id, whatever the ranks") {
  for_each_box([](Mesh const& mesh) {
    for (int from = 0; from < mesh.num_dimensions(); ++from)
      for (int to = from; to <= mesh.num_dimensions(); ++to) {
        adjacency const& rows = mesh.adjacent(from, to);
        for (local_id a = 0; a < rows.num_rows(); ++a)
          REQUIRE(std::ranges::is_sorted(rows[a], {}, [&](local_id b) {
            return mesh.entities(to).ids[std::size_t(b)];
          }));
      }
  });
}

TEST_CASE("normals of lines point along them, those of surfaces lie in their cells") {
  Communicator const all = world();
  mesh_input line;
  line.num_dimensions = 1;
  line.cells.elements2vertices = {0};
  if (all.rank() == 0)
    for (global_id v = 0; v <= 8; ++v) {
      line.vertex_ids.push_back(v);
      line.coordinates.insert(line.coordinates.end(), {double(v * v), 0, 0});
      if (v > 0)
        detail::append(line.cells, shape::line, v, 0, std::vector{v - 1, v});
    }
  Mesh const lines(all, line);
  auto const normal = normals<1>(lines);
  for (local_id v = 0; v < lines.vertices().num_local(); ++v)
    CHECK(normal(v)[0] == (lines.center(0, v)[0] == 0 ? -1 : 1));
  CHECK(total(lines, volumes(lines)) == 64);

  mesh_input tilted = box_mesh(all, shape::quadrilateral, {4, 4, 1});
  for (std::size_t v = 0; v < tilted.vertex_ids.size(); ++v)
    tilted.coordinates[3 * v + 2] = tilted.coordinates[3 * v];
  Mesh const plane(all, tilted);
  auto const in_plane = normals<3>(plane);
  for (local_id side = 0; side < plane.sides().num_local(); ++side)
    CHECK(std::abs(in_plane(side)[0] - in_plane(side)[2]) < 1e-15);
  CHECK(total(plane, volumes(plane)) == Approx(std::sqrt(2)));
}

TEST_CASE("the box around a mesh is that of all its ranks' vertices") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, box_mesh(all, shape::tetrahedron, {3, 2, 2})), 3);
  auto const box = bounds(mesh);
  CHECK(box.lo == std::array<double, 3>{0, 0, 0});
  CHECK(box.hi == std::array<double, 3>{1, 1, 1});
}

TEST_CASE("normals need as many coordinates as the mesh has dimensions") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::tetrahedron, {2, 2, 2}));
  CHECK_THAT(refusal_of([&] { normals<2>(mesh); }),
             Contains("normals: 2 coordinates (expected at least 3"));
}

TEST_CASE("a field is filled with a value, or by the centers of its entities") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, box_mesh(all, shape::triangle, {4, 4, 1})), 3);
  for (mesh_part const part : {vertices, edges, sides, cells}) {
    auto u = mesh.field<double>("u", part, 2);
    u.fill(3);
    CHECK(std::ranges::all_of(u.values(), [](double value) { return value == 3; }));
    u.fill([](auto x) { return x[0] - 2 * x[1]; });
    for (local_id e = 0; e < u.entities().num_local(); ++e) {
      auto const x = mesh.center(u.dimension(), e);
      CHECK(u(e, 0) == x[0] - 2 * x[1]);
      CHECK(u(e, 1) == u(e, 0));
    }
  }
  auto v = mesh.field<vec<2>>("v", cells);
  v.fill(vec<2>{1, 2});
  CHECK(v(0) == vec<2>{1, 2});
}
