#include <support/catch.hpp>
#include <support/damaged_files.hpp>
#include <support/files.hpp>
#include <support/stale_ghost_lines.hpp>
#include <support/world.hpp>

#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/meshes/mesh_checkpoint.hpp>
#include <seam/mesh/fields/migrate_mesh.hpp>
#include <seam/mesh/graphs/partition_mesh.hpp>
#include <seam/mesh/input/box_mesh.hpp>
#include <seam/mesh/roles/mesh_steps.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace seam::testing {
namespace {

using Catch::Contains;
namespace fs = std::filesystem;

/// A mesh whose ids have gaps, divided over all ranks of `over`.
Mesh make_mesh(Communicator const& over, partition_method method, std::int64_t bricks = 4) {
  mesh_input input = box_mesh(over, shape::tetrahedron, {bricks, 3, 5});
  auto const spread = [](global_id& id) { id = 3 * id + id * id % 3; };
  for (auto* const ids :
       {&input.vertex_ids, &input.cells.ids, &input.cells.vertices, &input.boundary.vertices})
    for (global_id& id : *ids)
      spread(id);
  for (std::size_t c = 0; c < input.cells.tags.size(); ++c)
    input.cells.tags[c] = static_cast<std::int32_t>(input.cells.ids[c] % 5);
  Mesh const mesh(over, input);
  return mesh.migrated(partition(mesh, over.size(), method));
}

template <class T>
T value_of(global_id id, int component) {
  return static_cast<T>(7 * id + 1000 * component + 1);
}

template <class T, class Act>
void for_each_value(MeshField<T> const& field, local_id count, Act const& act) {
  for (local_id e = 0; e < count; ++e)
    for (int c = 0; c < field.num_components(); ++c)
      act(field(e, c), value_of<T>(field.entities().ids[std::size_t(e)], c));
}

struct mesh_fields {
  explicit mesh_fields(Mesh const& mesh)
      : points(mesh, "points", 0, 2), edges(mesh, "edges", 1), cells(mesh, "cells", 3, 3) {}

  template <class Act>
  void for_each(Act const& act) {
    act(points), act(edges), act(cells);
  }

  MeshField<double> points;
  MeshField<std::uint8_t> edges;
  MeshField<std::int64_t> cells;
};

void write_fields(int num_ranks, std::string const& path) {
  auto const some = first_ranks(num_ranks);
  if (some.native() == MPI_COMM_NULL)
    return;
  auto const over = Communicator::dup(some);
  mesh_fields all(make_mesh(over, partition_method::rib));
  all.for_each([](auto const& field) {
    for_each_value(field, field.entities().num_owned,
                   [](auto& value, auto wanted) { value = wanted; });
  });
  save(over, path, all.points, all.edges, all.cells);
}

void read_fields(int num_ranks, std::string const& path) {
  auto const some = first_ranks(num_ranks);
  if (some.native() == MPI_COMM_NULL)
    return;
  auto const over = Communicator::dup(some);
  mesh_fields all(make_mesh(over, partition_method::hilbert));
  load(over, path, all.points, all.edges, all.cells);
  all.for_each([](auto const& field) {
    CAPTURE(field.name());
    int wrong = 0;
    for_each_value(field, field.entities().num_local(),
                   [&](auto value, auto wanted) { wrong += value == wanted ? 0 : 1; });
    CHECK(wrong == 0);
  });
}

} // namespace

TEST_CASE("fields of a mesh that some ranks write are the same on any other ranks, copies too") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "mesh");
  for (int writers = 1; writers <= all.size(); ++writers) {
    std::string const path = folder / (std::to_string(writers) + ".h5");
    write_fields(writers, path);
    mpi::barrier(all);
    for (int readers = 1; readers <= all.size(); ++readers) {
      CAPTURE(writers, readers);
      read_fields(readers, path);
      mpi::barrier(all);
    }
    if (all.rank() == 0) {
      bool const is_same = content_of(numbered_path(path, 1)) == content_of(folder / "1-0001.h5");
      CHECK(is_same);
    }
  }
}

TEST_CASE("copies that a file has set may be read, whatever steps have done to their owners") {
  auto const all = world();
  checks_in_scope const checks(true);
  stale_ghost_lines found;
  std::string const path = fresh_folder(all, "copies") / "u.h5";
  MeshField<double> u(make_mesh(all, partition_method::rib), "u", 3);
  for_each_value(u, u.entities().num_owned, [](auto& value, auto wanted) { value = wanted; });
  Steps step(u.mesh());
  step.each(
      "spread", updates(u, cells), SEAM_KERNEL(auto a) { a = 0.5 * (a() + a(0)); });
  save(all, path, u);
  step.run(2);
  load(all, path, u);
  int wrong = 0;
  for_each_value(u, u.entities().num_local(),
                 [&](auto value, auto wanted) { wrong += value == wanted ? 0 : 1; });
  CHECK(wrong == 0);
  CHECK(found.count() == 0);
}

TEST_CASE("a mesh with its numbering, tags and fields is the same on other ranks") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "whole-mesh"), first = folder / "first.h5";
  {
    Mesh const mesh = make_mesh(all, partition_method::rib);
    MeshField<double> const u(mesh, "u", 0);
    for_each_value(u, u.entities().num_owned, [](double& value, double wanted) { value = wanted; });
    save(all, first, mesh, u);
  }
  for (int readers = 1; readers <= all.size(); ++readers) {
    CAPTURE(readers);
    fs::path const again = folder / (std::to_string(readers) + ".h5");
    if (auto const some = first_ranks(readers); some.native() != MPI_COMM_NULL) {
      auto const over = Communicator::dup(some);
      Mesh loaded = load_mesh(over, first);
      loaded = loaded.migrated(partition(loaded, over.size(), partition_method::hilbert));
      CHECK(loaded.problem().empty());
      MeshField<double> const u(loaded, "u", 0);
      load(over, first, u);
      save(over, again, loaded, u);
    }
    mpi::barrier(all);
    if (all.rank() == 0) {
      bool const is_same = content_of(numbered_path(first.string(), 1)) ==
                           content_of(numbered_path(again.string(), 1));
      CHECK(is_same);
    }
  }
}

TEST_CASE("a field of another mesh is refused") {
  auto const all = world();
  fs::path const path = fresh_folder(all, "other-mesh") / "u.h5";
  MeshField<double> const u(make_mesh(all, partition_method::rib), "u", 0);
  save(all, path, u);
  MeshField<double> const larger(make_mesh(all, partition_method::rib, 5), "u", 0);
  CHECK_THAT(outcome_of([&] { load(all, path, larger); }), Contains("(expected float64 on the"));
  Mesh const renumbered(all, box_mesh(all, shape::tetrahedron, {4, 3, 5}));
  MeshField<double> const other_ids(renumbered, "u", 0);
  CHECK_THAT(outcome_of([&] { load(all, path, other_ids); }), Contains("of a mesh with ids"));
}

} // namespace seam::testing
