// divided(): numbered along a curve, one part for each rank, with the file's ids as fields.
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/mesh/fields/mesh_field.hpp>
#include <seam/mesh/graphs/divided.hpp>
#include <seam/mesh/graphs/partition_mesh.hpp>

#include <cmath>
#include <map>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

/// The center and the tag of each own entity of the mesh, by an id; gathered on all ranks.
using places_by_id = std::map<global_id, std::pair<std::array<double, 3>, std::int32_t>>;

places_by_id places_of(Mesh const& mesh, int dimension, std::span<global_id const> ids) {
  places_by_id all;
  mesh_entities const& of = mesh.entities(dimension);
  for (local_id e = 0; e < of.num_local(); ++e)
    all[ids[std::size_t(e)]] = {mesh.center(dimension, e), of.tags[std::size_t(e)]};
  return all;
}

/// Ids that jump from cell to cell, as those of a mesh generator.
global_id shuffled(global_id id, global_id count) { return id * 5003 % count; }

mesh_input shuffled_box(Communicator const& over) {
  std::int64_t const length = 64 * over.size(), count = 64 * length;
  mesh_input box = box_mesh(over, shape::quadrilateral, {length, 64, 1});
  for (global_id& id : box.cells.ids)
    id = shuffled(id, count);
  return box;
}

std::vector<std::string> explained(std::function<void()> const& act) {
  std::vector<std::string> lines;
  explain_to([&](std::string const& line) { lines.push_back(line); });
  act();
  explain_to({});
  std::erase_if(lines, [](std::string const& line) { return !line.starts_with("mesh: "); });
  return lines;
}

} // namespace

TEST_CASE(
    "a divided mesh has the entities of its input, numbered from 0, and their ids in the file") {
  Communicator const all = world(), self = alone();
  for (int kind = 0; kind < num_kinds; ++kind)
    for (partition_method const method : partition_methods()) {
      CAPTURE(kind, name_of(method));
      Mesh const serial(self, mesh_of_kind(self, kind));
      Mesh const mesh = divided(all, mesh_of_kind(all, kind), {.method = method});
      REQUIRE(mesh.problem().empty());
      for (mesh_part const part : {vertices, cells}) {
        int const d = mesh.dimension_of(part);
        mesh_entities const& of = mesh.entities(d);
        CHECK(of.num_global == serial.entities(d).num_global);
        global_id const end =
            kind == 8 && d == 0 ? 100 : of.num_global; // there are unused vertices
        for (global_id const id : of.ids)
          REQUIRE((id >= 0 && id < end));
        auto const expected = places_of(serial, d, serial.entities(d).ids);
        auto const ids = file_ids(mesh, part);
        for (auto const& [id, place] : places_of(mesh, d, ids.values())) {
          for (std::size_t axis = 0; axis < 3; ++axis)
            REQUIRE(place.first[axis] == Approx(expected.at(id).first[axis]));
          REQUIRE(place.second == expected.at(id).second);
        }
      }
      int const sides = mesh.num_dimensions() - 1;
      CHECK(mesh.entities(sides).num_global == serial.entities(sides).num_global);
    }
}

TEST_CASE("a divided mesh does not depend on ranks") {
  Communicator const all = world(), self = alone();
  for (int kind = 0; kind < num_kinds; ++kind) {
    CAPTURE(kind);
    Mesh const serial = divided(self, mesh_of_kind(self, kind));
    Mesh const mesh = divided(all, mesh_of_kind(all, kind));
    CHECK(is_part_of(mesh, serial));
    CHECK(mesh.groups().size() == serial.groups().size());
    auto const cells2ranks = partition(serial, all.size(), partition_method::rib);
    for (local_id c = 0; c < mesh.cells().num_owned; ++c)
      REQUIRE(cells2ranks[std::size_t(mesh.cells().ids[std::size_t(c)])] == all.rank());
  }
}

TEST_CASE("file ids stay with their entities when a mesh migrates or gets other ghosts") {
  Communicator const all = world();
  Mesh const mesh = divided(all, shuffled_box(all), {.ghosts = {.depth = 2, .through = 1}});
  CHECK(mesh.ghosts() == ghost_layers{2, 1});
  for (mesh_part const part : {vertices, cells}) {
    int const d = mesh.dimension_of(part);
    auto const known = file_ids(mesh, part);
    std::map<std::array<double, 3>, global_id> by_place;
    for (local_id e = 0; e < mesh.entities(d).num_local(); ++e)
      by_place[mesh.center(d, e)] = known(e);
    for (Mesh const& other : {scattered(mesh, 3), mesh.with_ghosts({.depth = 0, .through = 0})}) {
      auto const ids = file_ids(other, part);
      for (local_id e = 0; e < other.entities(d).num_local(); ++e)
        if (auto const found = by_place.find(other.center(d, e)); found != by_place.end())
          REQUIRE(ids(e) == found->second);
    }
  }
  CHECK_THAT(refusal_of([&] { file_ids(mesh, edges); }),
             Contains("file_ids: of entities of dimension 1 (expected vertices, 0, or cells, 2)"));
}

TEST_CASE("without numbers of its own a mesh has the ids of its input as file ids") {
  Communicator const all = world();
  Mesh const mesh(all, shuffled_box(all));
  auto const ids = file_ids(mesh, cells);
  CHECK(std::ranges::equal(ids.values(), mesh.cells().ids));
}

TEST_CASE("the parts of a divided mesh are equally heavy") {
  Communicator const all = world();
  mesh_input const box = box_mesh(all, shape::triangle, {24, 24, 1});
  std::vector<double> weights;
  for (global_id const id : box.cells.ids)
    weights.push_back(id % 3 == 0 ? 5 : 1);
  for (partition_method const method : partition_methods()) {
    CAPTURE(name_of(method));
    Mesh const mesh = divided(all, box, {.method = method, .weights = weights});
    auto const ids = file_ids(mesh, cells);
    double own = 0;
    for (local_id c = 0; c < mesh.cells().num_owned; ++c)
      own += ids(c) % 3 == 0 ? 5 : 1;
    double const total = mpi::allreduce(all.context(), own, MPI_SUM);
    double const slack = method == partition_method::scotch ? 0.1 * total / all.size() : 5;
    CHECK(std::abs(own - total / all.size()) <= slack + 5);
  }
  if (all.size() > 0) {
    weights.push_back(1);
    CHECK_THAT(refusal_of([&] { divided(all, box, {.weights = weights}); }),
               Contains("weights (expected one for each of"));
  }
}

TEST_CASE("a boundary element whose vertex nobody gives is refused") {
  Communicator const all = world();
  mesh_input box = box_mesh(all, shape::quadrilateral, {4, 4, 1});
  for (global_id& vertex : box.boundary.vertices)
    if (vertex == 0)
      vertex = 999;
  CHECK_THAT(refusal_of([&] { divided(all, box); }),
             Contains("mesh: a boundary element with vertex 999 (expected"));
}

TEST_CASE("--explain says how far neighbors lie apart, and where sorting would pay") {
  Communicator const all = world();
  auto const before = explained([&] { Mesh(all, shuffled_box(all)); });
  auto const after = explained([&] { divided(all, shuffled_box(all)); });
  if (all.rank() > 0) {
    CHECK((before.empty() && after.empty()));
    return;
  }
  REQUIRE(before.size() == 1);
  CHECK_THAT(before[0], Contains("neighbors lie ") && Contains("seam::divided() would make"));
  REQUIRE(after.size() == 1);
  CHECK_THAT(after[0], Contains("cells apart in memory") && !Contains("divided"));
}
