// Migration of meshes: what moves along, and that nothing is lost however often.
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/fields/migrate_mesh.hpp>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/environment.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

template <class T>
T value_of(global_id id, int component) {
  return static_cast<T>(3 * id + component + 1);
}

template <class T>
void fill(MeshField<T> const& field) {
  for (local_id e = 0; e < field.entities().num_local(); ++e)
    for (int c = 0; c < field.num_components(); ++c)
      field(e, c) = value_of<T>(field.entities().ids[std::size_t(e)], c);
}

template <class T>
bool holds_values(MeshField<T> const& field) {
  for (local_id e = 0; e < field.entities().num_local(); ++e)
    for (int c = 0; c < field.num_components(); ++c)
      if (field(e, c) != value_of<T>(field.entities().ids[std::size_t(e)], c))
        return false;
  return true;
}

/// A mesh whose cells and some edges and vertices have tags beside those of its ends.
mesh_input tagged_mesh(Communicator const& over) {
  mesh_input made = box_mesh(over, shape::tetrahedron, {2, 2, 2});
  element_list& more = made.boundary;
  for (std::size_t c = 0; c < made.cells.ids.size(); ++c) {
    made.cells.tags[c] = static_cast<std::int32_t>(made.cells.ids[c] % 7);
    auto const first = std::size_t(made.cells.elements2vertices[c]);
    auto const a = made.cells.vertices[first], b = made.cells.vertices[first + 1];
    if (more.elements2vertices.empty())
      more.elements2vertices.push_back(0);
    more.shapes.insert(more.shapes.end(), {shape::line, shape::point});
    more.ids.insert(more.ids.end(), {1000 + 2 * made.cells.ids[c], 1001 + 2 * made.cells.ids[c]});
    more.tags.insert(more.tags.end(), {int(a + b), int(100 + a)});
    more.vertices.insert(more.vertices.end(), {a, b, a});
    more.elements2vertices.push_back(std::ssize(more.vertices) - 1);
    more.elements2vertices.push_back(std::ssize(more.vertices));
  }
  return made;
}

} // namespace

TEST_CASE("invariants, tags and values survive repartition after repartition") {
  Communicator const all = world(), self = alone();
  Mesh const serial(self, tagged_mesh(self));
  Mesh mesh(all, tagged_mesh(all), {.depth = 1, .through = 2});
  MeshField<double> cells(mesh, "cells", 3, 2);
  MeshField<int> faces(mesh, "faces", 2);
  MeshField<float> edges(mesh, "edges", 1);
  MeshField<std::int64_t> vertices(mesh, "vertices", 0, 3);
  fill(cells);
  fill(faces);
  fill(edges);
  fill(vertices);
  MeshHalo halo = make_halo(vertices);
  int const trials = number_in_environment("SEAM_MIGRATIONS", 20);
  for (int trial = 0; trial < trials; ++trial) {
    // Sometimes some ranks have nothing.
    int const num_ranks = trial % 10 == 0 ? (all.size() + 1) / 2 : all.size();
    auto const ranks = random_ranks(mesh, num_ranks, unsigned(trial));
    mesh = migrate(mesh, ranks, cells, faces, edges, vertices, halo);
    REQUIRE(mesh.problem().empty());
    REQUIRE(is_part_of(mesh, serial));
    REQUIRE(holds_values(cells));
    REQUIRE(holds_values(faces));
    REQUIRE(holds_values(edges));
    REQUIRE(holds_values(vertices));
    for (local_id v = mesh.vertices().num_owned; v < mesh.vertices().num_local(); ++v)
      vertices(v) = -1;
    halo.run();
    REQUIRE(holds_values(vertices));
  }
}

TEST_CASE("cells are where they have been sent to, with the ghosts of before") {
  Communicator const all = world();
  Mesh const mesh(all, mesh_of_kind(all, 8), {.depth = 2, .through = 1});
  auto const ranks = random_ranks(mesh, all.size(), 4);
  Mesh const moved = mesh.migrated(ranks);
  Communicator const self = alone();
  Mesh const serial(self, mesh_of_kind(self, 8));
  auto const expected = random_ranks(serial, all.size(), 4);
  local_id count = 0;
  for (std::size_t c = 0; c < expected.size(); ++c)
    if (expected[c] == all.rank()) {
      REQUIRE(moved.cells().ids[std::size_t(count++)] == serial.cells().ids[c]);
    }
  CHECK(moved.cells().num_owned == count);
  CHECK(moved.ghosts() == mesh.ghosts());
}

TEST_CASE("a halo of fields that have moved says so until it is planned anew") {
  Communicator const all = world();
  Mesh mesh(all, mesh_of_kind(all, 3));
  MeshField<double> u(mesh, "u", 3);
  MeshHalo halo = make_halo(u);
  mesh = migrate(mesh, random_ranks(mesh, all.size(), 1), u);
  if (mesh.cells().num_local() > 0) {
    CHECK_THROWS_WITH(halo.run(), Catch::Contains("has migrated"));
  }
  halo.replan();
  fill(u);
  halo.run();
  CHECK(holds_values(u));
}

TEST_CASE("destinations and fields that do not fit are refused by all ranks") {
  Communicator const all = world();
  Mesh const mesh(all, mesh_of_kind(all, 3)), other(all, mesh_of_kind(all, 3));
  std::vector<int> ranks(std::size_t(mesh.cells().num_owned), 0);
  MeshField<double> stranger(other, "stranger", 3);
  CHECK_THROWS_AS(migrate(mesh, ranks, stranger), usage_error);
  if (all.rank() == 0)
    ranks[0] = all.size();
  CHECK_THROWS_WITH(mesh.migrated(ranks), Catch::Contains("destination"));
  ranks.push_back(0);
  CHECK_THROWS_WITH(mesh.migrated(ranks), Catch::Contains("destinations"));
}
