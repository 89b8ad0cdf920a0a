// Partitions of meshes by all methods, and the graphs that tell what they are worth.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/fields/migrate_mesh.hpp>
#include <seam/mesh/graphs/distributed_graph.hpp>
#include <seam/mesh/graphs/partition_mesh.hpp>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cmath>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// Parts by global id.
std::map<global_id, int> by_id(Mesh const& mesh, std::vector<int> const& parts) {
  std::map<global_id, int> all;
  for (std::size_t c = 0; c < parts.size(); ++c)
    all[mesh.cells().ids[c]] = parts[c];
  return all;
}

/// The neighbors of a node of a serial mesh, by a search among all.
std::vector<global_id> expected_neighbors(Mesh const& mesh, int dimension, int through,
                                          global_id id) {
  auto const& ids = mesh.entities(dimension).ids;
  auto const own = local_id(std::ranges::find(ids, id) - ids.begin());
  auto const rows =
      neighbors_through(mesh.adjacent(dimension, through), mesh.adjacent(through, dimension));
  std::vector<global_id> found;
  for (local_id const other : rows[own])
    found.push_back(ids[std::size_t(other)]);
  std::ranges::sort(found);
  return found;
}

} // namespace

TEST_CASE("graphs of meshes are the same on any number of ranks, with or without ghosts") {
  Communicator const all = world(), self = alone();
  for (int kind : {0, 1, 3, 8}) {
    Mesh const serial(self, mesh_of_kind(self, kind));
    for (int const depth : {0, 2}) {
      Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, kind), {.depth = depth}), 8);
      int const last = mesh.num_dimensions();
      for (auto const& [dimension, through] :
           {std::pair(last, last - 1), std::pair(last, 0), std::pair(0, 1), std::pair(0, last)}) {
        CAPTURE(kind, depth, dimension, through);
        auto const graph = entity_graph(mesh, dimension, through);
        REQUIRE(graph.num_nodes() == mesh.entities(dimension).num_owned);
        for (local_id n = 0; n < graph.num_nodes(); ++n) {
          auto const row = graph.neighbors(n);
          REQUIRE(std::vector(row.begin(), row.end()) ==
                  expected_neighbors(serial, dimension, through, graph.ids[std::size_t(n)]));
        }
      }
    }
  }
}

TEST_CASE("the dual graph of a box has an edge for each inner side") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::hexahedron, {4, 3, 2}), {.depth = 0});
  auto const graph = dual_graph(mesh);
  auto const ends = mpi::allreduce(all.view(), std::ssize(graph.edges2ids), MPI_SUM);
  CHECK(ends == 2 * (3 * 3 * 2 + 4 * 2 * 2 + 4 * 3 * 1));
}

TEST_CASE("geometric parts of a mesh do not depend on ranks") {
  Communicator const all = world(), self = alone();
  Mesh const serial(self, mesh_of_kind(self, 8));
  Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, 8)), 3);
  for (auto const method : geometric_partition_methods())
    for (int const num_parts : {1, 5, 8}) {
      auto const expected = by_id(serial, partition(serial, num_parts, method));
      for (auto const& [id, part] : by_id(mesh, partition(mesh, num_parts, method)))
        REQUIRE(expected.at(id) == part);
    }
}

TEST_CASE("parts are balanced and hang together, by all methods and in any number") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::tetrahedron, {6, 6, 6}));
  auto const graph = dual_graph(mesh);
  auto const centers = cell_centers(mesh);
  for (partition_method const method : partition_methods())
    for (int const num_parts : {1, 2, 3, 7, 16}) {
      CAPTURE(name_of(method), num_parts);
      auto const parts = partition(mesh, num_parts, method);
      auto const shares = balance_of(all, centers, parts, num_parts);
      CHECK(shares.imbalance < 1.06);
      auto const found = connection_of(all, centers, graph.view(), parts, num_parts);
      // A cube of side a has 2 sides of triangles on each unit of its surface.
      double const side = 6 / std::cbrt(num_parts);
      CHECK(double(found.edge_cut) <= 1.5 * num_parts * 6 * side * side + 0.5);
      CHECK((num_parts > 1) == (found.edge_cut > 0));
    }
}

TEST_CASE("scotch cuts less than the geometric methods, and the same each time") {
  Communicator const all = world();
  Mesh const mesh(all, mixed_mesh(all, {6, 6, 6}));
  auto const graph = dual_graph(mesh);
  auto const centers = cell_centers(mesh);
  auto const cut_of = [&](partition_method method) {
    return connection_of(all, centers, graph.view(), partition(mesh, 6, method), 6).edge_cut;
  };
  CHECK(cut_of(partition_method::scotch) < cut_of(partition_method::hilbert));
  auto const once = by_id(mesh, partition(mesh, 6, partition_method::scotch));
  CHECK(by_id(mesh, partition(mesh, 6, partition_method::scotch)) == once);
  MeshField<int> expected(mesh, "parts", 3);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    expected(c) = once.at(mesh.cells().ids[std::size_t(c)]);
  Mesh const elsewhere = migrate(mesh, random_ranks(mesh, all.size(), 6), expected);
  auto const parts = partition(elsewhere, 6, partition_method::scotch);
  CHECK(std::ranges::equal(parts, expected.values().first(parts.size())));
}

TEST_CASE("heavy cells get parts of their own") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::quadrilateral, {16, 16, 1}));
  std::vector<double> weights;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    weights.push_back(mesh.center(2, c)[0] < 0.5 ? 3e-7 : 1e-7);
  auto const centers = cell_centers(mesh, weights);
  CHECK(centers.num_dimensions == 2);
  for (partition_method const method : partition_methods()) {
    CAPTURE(name_of(method));
    auto const parts = partition(mesh, 4, method, weights);
    CHECK(balance_of(all, centers, parts, 4).imbalance < 1.06);
  }
}

TEST_CASE("more parts than cells, and ranks without cells") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::quadrilateral, {2, 2, 1}));
  for (partition_method const method : partition_methods())
    for (int const part : partition(mesh, 9, method)) {
      CHECK(part >= 0);
      CHECK(part < 9);
    }
}

TEST_CASE("what cannot be divided is refused by all ranks") {
  Communicator const all = world();
  Mesh const mesh(all, mesh_of_kind(all, 1));
  for (partition_method const method : partition_methods())
    CHECK_THROWS_AS(partition(mesh, 0, method), usage_error);
  std::vector<double> weights(std::size_t(mesh.cells().num_owned), 1);
  weights.push_back(1);
  for (partition_method const method : partition_methods())
    CHECK_THROWS_AS(partition(mesh, 2, method, weights), usage_error);
  CHECK_THROWS_AS(partition(all, cell_centers(mesh), 2, partition_method::scotch), usage_error);
  CHECK_THROWS_AS(entity_graph(mesh, 1, 1), usage_error);
}
