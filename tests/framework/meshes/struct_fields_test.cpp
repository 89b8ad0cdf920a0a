// Fields of plain structs: through halos, migration, checkpoints and files.
#include <support/catch.hpp>
#include <support/files.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/meshes/mesh_checkpoint.hpp>
#include <seam/framework/meshes/mesh_outputs.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/framework/meshes/vtkhdf_mesh_input.hpp>
#include <seam/mesh/fields/migrate_mesh.hpp>

#include <limits>

namespace seam::testing {
namespace {

using Catch::Contains;

struct gas {
  static constexpr std::array component_names{"density", "pressure"};
  static constexpr char const* checkpoint_name = "gas 1";
  double density = 0, pressure = 0;

  friend bool operator==(gas const&, gas const&) = default;
};

/// Without names, of any types.
struct parcel {
  int count = 0;
  float weight = 0;
  std::array<char, 3> label{};

  friend bool operator==(parcel const&, parcel const&) = default;
};

gas gas_of(global_id id) { return {1.0 + double(id), 0.5 * double(id)}; }
parcel parcel_of(global_id id) { return {int(id), float(id) / 4, {'a', 'b', char(id % 100)}}; }

template <class T, class Make>
void give(MeshField<T>& field, Make make) {
  for (local_id e = 0; e < field.entities().num_owned; ++e)
    field(e) = make(field.entities().ids[std::size_t(e)]);
}

template <class T, class Make>
void check(MeshField<T> const& field, Make make) {
  for (local_id e = 0; e < field.entities().num_local(); ++e)
    REQUIRE(field(e) == make(field.entities().ids[std::size_t(e)]));
}

std::vector<double> values_of(std::vector<mesh_values> const& all, std::string const& name) {
  for (mesh_values const& field : all)
    if (field.name == name)
      return field.values;
  FAIL("there is no array " << name);
  return {};
}

} // namespace

TEST_CASE("structs travel through halos, migration and checkpoints") {
  Communicator const all = world();
  Mesh mesh = scattered(Mesh(all, mesh_of_kind(all, 7)), 3);
  auto q = mesh.field<gas>("q", cells);
  auto p = mesh.field<parcel>("p", vertices);
  give(q, gas_of);
  give(p, parcel_of);
  make_halo(q).run();
  make_halo(p).run();
  check(q, gas_of);
  check(p, parcel_of);
  mesh = migrate(mesh, random_ranks(mesh, all.size(), 8), q, p);
  check(q, gas_of);
  check(p, parcel_of);
  auto const file = fresh_folder(all, "structs") / "structs.h5";
  save(all, file, q, p);
  auto q_again = mesh.field<gas>("q", cells);
  auto p_again = mesh.field<parcel>("p", vertices);
  load(all, file, q_again, p_again);
  check(q_again, gas_of);
  check(p_again, parcel_of);
  auto other = mesh.field<parcel>("q", cells);
  CHECK_THAT(refusal_of([&] { load(all, file, other); }), Contains("gas 1"));
}

TEST_CASE("files have the components of structs by name, and those of vec as one array") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, 1)), 5);
  auto q = mesh.field<gas>("q", cells);
  auto v = mesh.field<vec<3>>("v", vertices);
  auto two = mesh.field<gas>("two", cells, 2);
  give(q, gas_of);
  give(v, [](global_id id) { return vec<3>{double(id), 1, -double(id)}; });
  make_halo(v).run();
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    for (int k = 0; k < 2; ++k)
      two(c, k) = gas_of(10 * mesh.cells().ids[std::size_t(c)] + k);
  write(mesh, std::tie(q, v, two), "structs.vtkhdf");
  mesh_file const found = read_vtkhdf(all, "structs.vtkhdf");
  auto const density = values_of(found.on_cells, "q.density"),
             pressure = values_of(found.on_cells, "q.pressure"),
             both = values_of(found.on_cells, "two.pressure"),
             velocity = values_of(found.on_vertices, "v");
  auto const& ids = found.mesh.cells.ids;
  REQUIRE(both.size() == 2 * ids.size());
  for (std::size_t c = 0; c < ids.size(); ++c) {
    CHECK(gas{density[c], pressure[c]} == gas_of(ids[c]));
    CHECK(both[2 * c + 1] == gas_of(10 * ids[c] + 1).pressure);
  }
  auto const& vertex_ids = found.mesh.vertex_ids;
  REQUIRE(velocity.size() == 3 * vertex_ids.size());
  for (std::size_t k = 0; k < vertex_ids.size(); ++k)
    CHECK(velocity[3 * k + 2] == -double(vertex_ids[k]));
}

TEST_CASE("pictures show the first number of structs and vec, and outputs look at all of them") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, 1)), 5);
  auto q = mesh.field<gas>("q", cells);
  auto v = mesh.field<vec<2>>("v", cells);
  auto plain = mesh.field<double>("plain", cells);
  give(q, gas_of);
  give(v, [](global_id id) { return vec<2>{gas_of(id).density, 1}; });
  give(plain, [](global_id id) { return gas_of(id).density; });
  write_png(q, "q.png", {.largest_side = 60});
  write_png(v, "v.png", {.largest_side = 60});
  write_png(plain, "plain.png", {.largest_side = 60});
  if (all.rank() == 0) {
    bool const is_same = content_of("q.png") == content_of("plain.png") &&
                         content_of("v.png") == content_of("plain.png");
    CHECK(is_same);
  }
  mpi::barrier(all);
  output_options const wanted{.output = "seen.vtkhdf"};
  run_outputs(wanted, q, 1).finish(1);
  if (mesh.cells().num_owned > 0)
    q(0).pressure = std::numeric_limits<double>::infinity();
  CHECK_THAT(refusal_of([&] { run_outputs(wanted, q, 1).finish(1); }), Contains("'q' is inf at ("));
}

} // namespace seam::testing
