// Fields on meshes and their halos, in both directions.
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// A value that tells which entity and component it is of.
double value_of(global_id id, int component) { return 10.0 * double(id) + component + 0.25; }

/// Own entities get their values, copies nonsense.
template <class T>
void fill_owned(MeshField<T> const& field) {
  for (local_id e = 0; e < field.entities().num_local(); ++e)
    for (int c = 0; c < field.num_components(); ++c)
      field(e, c) = field.entities().is_owned(e)
                        ? static_cast<T>(value_of(field.entities().ids[std::size_t(e)], c))
                        : static_cast<T>(-1);
}

template <class T>
bool holds_values(MeshField<T> const& field) {
  for (local_id e = 0; e < field.entities().num_local(); ++e)
    for (int c = 0; c < field.num_components(); ++c)
      if (field(e, c) != static_cast<T>(value_of(field.entities().ids[std::size_t(e)], c)))
        return false;
  return true;
}

/// What rank `rank` adds to an entity: sums of such numbers depend on their order.
double share_of(global_id id, int rank) {
  return (rank % 2 == 0 ? 1e16 : 1.0) / (1.0 + double(id) + rank);
}

/// The ranks that have copies of each own entity, ascending. [num_owned]
std::vector<std::vector<int>> holders_of(mesh_entities const& of) {
  std::vector<std::vector<int>> holders(std::size_t(of.num_owned));
  for (std::size_t r = 0; r < of.copies.ranks.size(); ++r)
    for (local_id const e : of.copies.ranks2entities[local_id(r)])
      holders[std::size_t(e)].push_back(of.copies.ranks[r]);
  return holders;
}

} // namespace

TEST_CASE("copies hold their owner's values after a halo has run") {
  Communicator const all = world();
  for (bool const shared : {true, false}) {
    shared_memory_in_scope const scope(shared);
    for (int kind = 0; kind < num_kinds; ++kind) {
      Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, kind)), 1);
      for (int d = 0; d <= mesh.num_dimensions(); ++d) {
        MeshField<double> u(mesh, "u", d);
        MeshField<int> v(mesh, "v", d, 3);
        MeshHalo halo = make_halo(u, v);
        for (int step = 0; step < 3; ++step) {
          fill_owned(u);
          fill_owned(v);
          halo.run();
          REQUIRE(holds_values(u));
          REQUIRE(holds_values(v));
        }
      }
    }
  }
}

TEST_CASE("copies are combined into their owner in the order of ranks, and stay") {
  Communicator const all = world();
  for (reduction const how : {reduction::sum, reduction::min, reduction::max}) {
    Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, 8)), 2);
    for (int d = 0; d <= 3; ++d) {
      MeshField<double> u(mesh, "u", d, 2);
      MeshHalo halo = make_reverse_halo(how, u);
      mesh_entities const& of = u.entities();
      for (local_id e = 0; e < of.num_local(); ++e)
        for (int c = 0; c < 2; ++c)
          u(e, c) = share_of(of.ids[std::size_t(e)] + c, all.rank());
      halo.run();
      auto const values = u.values(); // checked views would say that owners have other values now
      auto const holders = holders_of(of);
      for (local_id e = 0; e < of.num_local(); ++e)
        for (int c = 0; c < 2; ++c) {
          global_id const id = of.ids[std::size_t(e)] + c;
          double expected = share_of(id, all.rank());
          if (of.is_owned(e))
            for (int const rank : holders[std::size_t(e)]) {
              double const other = share_of(id, rank);
              expected = how == reduction::sum   ? expected + other
                         : how == reduction::min ? std::min(expected, other)
                                                 : std::max(expected, other);
            }
          REQUIRE(values[static_cast<std::size_t>(2 * e + c)] == expected);
        }
    }
  }
}

TEST_CASE("several fields travel in the messages of one, inside a node in none of MPI's") {
  shared_memory_in_scope const on(true);
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::tetrahedron, {4, 4, 4}));
  MeshField<double> u(mesh, "u", 3), v(mesh, "v", 3, 5);
  MeshHalo one = make_halo(u), both = make_halo(u, v);
  CHECK(one.num_messages() == both.num_messages());
  CHECK(both.num_bytes() == 6 * one.num_bytes());
  both.run();
  auto const calls = calls_of([&] {
    for (int step = 0; step < 5; ++step)
      both.run();
  });
  if (node_size() == 0) // all ranks are on one node
    CHECK(calls.sends == 0);
  CHECK(calls.collectives == 0);
}

TEST_CASE("own entities can be worked on while copies are on their way") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::quadrilateral, {8, 8, 1}), {.depth = 1, .through = 1});
  MeshField<double> u(mesh, "u", 2), sums(mesh, "sums", 2);
  fill_owned(u);
  MeshHalo halo = make_halo(u);
  auto const rows =
      split_by_reach(mesh.adjacent(2, 2), mesh.cells().num_owned, mesh.cells().num_owned);
  CHECK(std::ssize(rows.inner) + std::ssize(rows.rim) == mesh.cells().num_owned);
  auto const add_neighbors = [&](local_id c) {
    for (local_id const other : mesh.adjacent(2, 2)[c])
      sums(c) += u(other);
  };
  in_flight flying = halo.start();
  for (local_id const c : rows.inner)
    add_neighbors(c);
  flying.wait();
  for (local_id const c : rows.rim)
    add_neighbors(c);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    global_id const id = mesh.cells().ids[std::size_t(c)];
    double expected = 0;
    for (global_id const other : {id - 8, id - 1, id + 1, id + 8})
      if (other >= 0 && other < 64 && (other % 8 == id % 8 || other / 8 == id / 8))
        expected += value_of(other, 0);
    REQUIRE(sums(c) == expected);
  }
}

TEST_CASE("fields that do not fit are refused by all ranks") {
  Communicator const all = world();
  Mesh const mesh(all, mesh_of_kind(all, 1)), other(all, mesh_of_kind(all, 1));
  CHECK_THROWS_AS(MeshField<int>(mesh, "u", 3), usage_error);
  CHECK_THROWS_AS(MeshField<int>(mesh, "u", 1, 0), usage_error);
  MeshField<int> cells(mesh, "cells", 2), vertices(mesh, "vertices", 0), others(other, "o", 2);
  CHECK_THROWS_AS(make_halo(cells, vertices), usage_error);
  CHECK_THROWS_AS(make_halo(cells, others), usage_error);
}
