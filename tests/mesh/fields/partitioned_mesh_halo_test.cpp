// Partitioned halos of meshes: entities made ready in any order by any thread bring what a plain
// halo brings, and what one neighbor has ready arrives before the others.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/mesh/fields/migrate_mesh.hpp>
#include <seam/mesh/fields/partitioned_mesh_halo.hpp>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/partitioned.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <thread>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

void fill(MeshField<double> const& field, int round) {
  for (local_id e = 0; e < field.entities().num_local(); ++e)
    field(e) = 1e-3 * double(field.entities().ids[std::size_t(e)]) + round +
               (field.entities().is_owned(e) ? 0.0 : 0.7 * field.mesh().base().rank());
}

/// Entities [0, count) by a few threads in a random order.
void make_ready(PartitionedMeshHalo& halo, local_id count, int round) {
  std::mt19937 random(static_cast<unsigned>(round));
  auto const order = shuffled(count, random);
  std::vector<std::jthread> threads;
  constexpr std::size_t num_threads = 3;
  for (std::size_t t = 0; t < num_threads; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t k = t; k < order.size(); k += num_threads)
        halo.ready(order[k]);
    });
}

} // namespace

TEST_CASE("entities made ready in any order bring what a plain halo brings, there and back") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, box_mesh(all, shape::tetrahedron, {3, 3, 3})), 1);
  for (int d = 0; d <= 3; ++d) {
    MeshField<double> u(mesh, "u", d), v(mesh, "v", d), expected(mesh, "expected", d);
    mesh_entities const& of = mesh.entities(d);
    auto halo = make_partitioned_halo(u, v);
    auto back = make_partitioned_reverse_halo(reduction::sum, u);
    MeshHalo plain = make_halo(expected), plain_back = make_reverse_halo(reduction::sum, expected);
    for (int round = 0; round < 4; ++round) {
      for (auto const* field : {&u, &v, &expected})
        fill(*field, round);
      halo.start();
      make_ready(halo, of.num_owned, round);
      for (local_id e = 0; e < of.num_local(); ++e)
        for (patience wait; !halo.arrived(e);)
          wait.pause();
      plain.run();
      REQUIRE(std::ranges::equal(u.values(), expected.values()));
      halo.wait();
      REQUIRE(std::ranges::equal(v.values(), expected.values()));
      fill(u, round + 1);
      fill(expected, round + 1);
      back.start();
      make_ready(back, of.num_local(), round);
      back.wait();
      plain_back.run();
      REQUIRE(std::ranges::equal(u.values(), expected.values()));
    }
  }
}

TEST_CASE("what is ready for one neighbor arrives there though others wait") {
  Communicator const all = world();
  if (all.size() < 3)
    return;
  Mesh const mesh(all, box_mesh(all, shape::line, {4 * all.size(), 1, 1}));
  MeshField<double> u(mesh, "u", 1);
  mesh_entities const& cells = mesh.cells();
  auto halo = make_partitioned_halo(u);
  int const above = all.rank() + 1, below = all.rank() - 1;
  for (int round = 0; round < 3; ++round) {
    fill(u, round);
    halo.start();
    auto const is_for = [&](local_id cell, int rank) {
      for (std::size_t r = 0; r < cells.copies.ranks.size(); ++r)
        if (cells.copies.ranks[r] == rank)
          return std::ranges::count(cells.copies.ranks2entities[local_id(r)], cell) > 0;
      return false;
    };
    for (local_id c = 0; c < cells.num_owned; ++c)
      if (is_for(c, above))
        halo.ready(c);
    for (local_id c = cells.num_owned; c < cells.num_local(); ++c)
      if (cells.owners[std::size_t(c)] == below)
        for (patience wait; !halo.arrived(c);)
          wait.pause();
    mpi::barrier(all);
    for (local_id c = cells.num_owned; c < cells.num_local(); ++c)
      CHECK(halo.arrived(c) == (cells.owners[std::size_t(c)] == below));
    mpi::barrier(all);
    for (local_id c = 0; c < cells.num_owned; ++c)
      if (!is_for(c, above))
        halo.ready(c);
    halo.wait();
    CHECK(halo.test());
  }
}

TEST_CASE("an entity is ready once, and is one of the mesh") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::quadrilateral, {4, 4, 1}));
  MeshField<double> u(mesh, "u", 2);
  auto halo = make_partitioned_halo(u);
  CHECK_THROWS_WITH(halo.ready(0), Catch::Contains("ready before the first start"));
  CHECK(halo.test());
  halo.start();
  CHECK_THROWS_WITH(halo.ready(-1), Catch::Contains("ready of entity -1 (expected 0 to"));
  CHECK_THROWS_WITH(halo.arrived(mesh.cells().num_local()),
                    Catch::Contains("arrived of entity") && Catch::Contains("(expected 0 to"));
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    halo.ready(c);
  mesh_entities const& cells = mesh.cells();
  if (!cells.copies.ranks.empty())
    CHECK_THROWS_WITH(halo.ready(cells.copies.ranks2entities[0][0]),
                      Catch::Contains("ready twice"));
  halo.wait();
}

TEST_CASE("in checked mode an entity that is ready twice does not stand for one that is not") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::quadrilateral, {6, 6, 1}));
  MeshField<double> u(mesh, "u", 0);
  mesh_entities const& vertices = mesh.vertices();
  for (bool const checked : {true, false}) {
    checks_in_scope const mode(checked);
    auto halo = make_partitioned_halo(u);
    for (int round = 0; round < 2; ++round) {
      fill(u, round);
      halo.start();
      for (local_id v = 0; v < vertices.num_owned; ++v) {
        halo.ready(v);
        if (checked)
          CHECK_THROWS_WITH(halo.ready(v),
                            Catch::Contains(fmt::format("entity {} is ready twice", v)));
      }
      for (local_id v = 0; v < vertices.num_local(); ++v) {
        halo.wait_for(v);
        REQUIRE(u(v) == 1e-3 * double(vertices.ids[std::size_t(v)]) + round);
      }
      halo.wait();
    }
  }
}

TEST_CASE("in checked mode fields in another order on one rank are found on all ranks") {
  Communicator const all = world();
  if (all.size() < 2)
    return;
  checks_in_scope const checked(true);
  Mesh const mesh(all, box_mesh(all, shape::hexahedron, {4, 4, 4}));
  MeshField<double> u(mesh, "u", 3), v(mesh, "v", 3);
  auto& first = all.rank() == 1 ? v : u;
  auto& second = all.rank() == 1 ? u : v;
  auto const found = Catch::Contains("[8 (v: double), 8 (u: double)], 1 (expected the same on all "
                                     "ranks: [8 (u: double), 8 (v: double)], 1 as on rank 0)");
  CHECK_THROWS_WITH(make_halo(first, second), found);
  CHECK_THROWS_WITH(make_partitioned_halo(first, second), found);
}

TEST_CASE("a partitioned halo of fields that have migrated is refused") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::quadrilateral, {6, 6, 1}));
  MeshField<double> u(mesh, "u", 2);
  auto halo = make_partitioned_halo(u);
  migrate(mesh, std::vector<int>(std::size_t(mesh.cells().num_owned), 0), u);
  if (mesh.cells().num_local() > 0)
    CHECK_THROWS_WITH(halo.start(), Catch::Contains("field 'u' has migrated"));
  CHECK(halo.test());
}
