// Independent sets and colorings of distributed graphs.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/graphs/coloring.hpp>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// The part of rank `rank` in a graph of `num_nodes` nodes with edges at random, of which rank
/// id % size has node id.
distributed_graph random_graph(Communicator const& over, int num_nodes, int one_in, unsigned seed) {
  std::mt19937 random(seed);
  auto const count = std::size_t(num_nodes);
  std::vector<std::vector<bool>> is_edge(count, std::vector<bool>(count));
  for (int a = 0; a < num_nodes; ++a)
    for (int b = 0; b < a; ++b)
      is_edge[std::size_t(a)][std::size_t(b)] = is_edge[std::size_t(b)][std::size_t(a)] =
          random() % unsigned(one_in) == 0;
  distributed_graph made;
  for (int a = over.rank(); a < num_nodes; a += over.size()) {
    made.ids.push_back(a);
    for (int b = 0; b < num_nodes; ++b)
      if (is_edge[std::size_t(a)][std::size_t(b)]) {
        made.edges2ids.push_back(b);
        made.edges2ranks.push_back(b % over.size());
      }
    made.nodes2edges.push_back(std::ssize(made.edges2ids));
  }
  return made;
}

/// The values of all nodes of a graph whose ids are 0 to num_nodes - 1. Collective.
template <class T>
std::vector<int> gather(Communicator const& over, distributed_graph const& graph,
                        std::vector<T> const& values, int num_nodes) {
  std::vector<int> all(std::size_t(num_nodes), -1);
  for (std::size_t n = 0; n < values.size(); ++n)
    all[std::size_t(graph.ids[n])] = values[n];
  mpi::allreduce(over.view(), std::span(all), MPI_MAX);
  return all;
}

/// Whether no two neighbors are in the set and all other candidates have a neighbor there. All
/// ranks must ask.
bool is_maximal(Communicator const& over, distributed_graph const& graph,
                std::vector<char> const& set, std::vector<char> const& candidates, int num_nodes) {
  auto const is_in = gather(over, graph, set, num_nodes);
  bool right = true;
  for (local_id n = 0; n < graph.num_nodes(); ++n) {
    auto const row = graph.neighbors(n);
    auto const beside =
        std::ranges::count_if(row, [&](global_id other) { return is_in[std::size_t(other)] == 1; });
    bool const is_free = candidates[std::size_t(n)] == 0;
    right = right && (set[std::size_t(n)] != 0 ? beside == 0 && !is_free : beside > 0 || is_free);
  }
  return right;
}

} // namespace

TEST_CASE("independent sets are independent and maximal") {
  Communicator const all = world();
  for (unsigned trial = 0; trial < 20; ++trial) {
    int const num_nodes = int(trial * trial), one_in = 1 + int(trial % 7);
    auto const graph = random_graph(all, num_nodes, one_in, trial);
    std::vector<char> const everybody(graph.ids.size(), 1);
    auto const set = independent_set(all, graph, {}, trial);
    REQUIRE(is_maximal(all, graph, set, everybody, num_nodes));
    std::vector<char> some;
    for (global_id const id : graph.ids)
      some.push_back(id % 3 == 0 ? 0 : 1);
    REQUIRE(is_maximal(all, graph, independent_set(all, graph, some), some, num_nodes));
  }
}

TEST_CASE("sets and colors do not depend on ranks, but on the seed") {
  Communicator const all = world(), self = alone();
  auto const graph = random_graph(all, 200, 9, 1), whole = random_graph(self, 200, 9, 1);
  CHECK(gather(all, graph, independent_set(all, graph), 200) ==
        gather(self, whole, independent_set(self, whole), 200));
  CHECK(gather(all, graph, color_graph(all, graph, 7), 200) ==
        gather(self, whole, color_graph(self, whole, 7), 200));
  CHECK(gather(all, graph, color_graph(all, graph, 7), 200) !=
        gather(all, graph, color_graph(all, graph, 8), 200));
}

TEST_CASE("cells are colored by sides and vertices by edges, with few colors") {
  Communicator const all = world(), self = alone();
  for (int kind = 0; kind < num_kinds; ++kind) {
    CAPTURE(kind);
    Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, kind)), 4);
    Mesh const serial(self, mesh_of_kind(self, kind));
    int const last = mesh.num_dimensions();
    for (auto const& [dimension, through] : {std::pair(last, last - 1), std::pair(0, 1)}) {
      auto const graph = entity_graph(mesh, dimension, through);
      auto const colors = color_graph(all, graph);
      REQUIRE(is_proper_coloring(all, graph, colors));
      std::int64_t most_neighbors = 0;
      for (local_id n = 0; n < graph.num_nodes(); ++n)
        most_neighbors = std::max(most_neighbors, std::ssize(graph.neighbors(n)));
      most_neighbors = mpi::allreduce(all.view(), most_neighbors, MPI_MAX);
      auto const counts = count_colors(all, colors);
      CHECK(std::ssize(counts) <= most_neighbors + 1);
      CHECK(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) ==
            mesh.entities(dimension).num_global);
      auto const whole = entity_graph(serial, dimension, through);
      auto const expected = color_graph(self, whole);
      for (std::size_t n = 0; n < colors.size(); ++n) {
        auto const at = std::ranges::lower_bound(whole.ids, graph.ids[n]) - whole.ids.begin();
        REQUIRE(colors[n] == expected[std::size_t(at)]);
      }
    }
  }
}

TEST_CASE("ranks with copies of each other's entities have different colors") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::hexahedron, {4, 4, 4}));
  auto const graph = part_graph(mesh);
  auto const colors = color_graph(all, graph);
  REQUIRE(colors.size() == 1);
  CHECK(is_proper_coloring(all, graph, colors));
  auto const all_colors = mpi::allgather(all.view(), colors[0]);
  for (edge const& neighbor : mesh.graph().topology().destinations())
    CHECK(all_colors[std::size_t(neighbor.rank)] != colors[0]);
}

TEST_CASE("colorings that are none are told") {
  Communicator const all = world();
  Mesh const mesh(all, mesh_of_kind(all, 3));
  auto const graph = dual_graph(mesh);
  std::vector<int> colors(graph.ids.size(), 0);
  CHECK_FALSE(is_proper_coloring(all, graph, colors));
  colors = color_graph(all, graph);
  if (all.rank() == all.size() - 1)
    colors.back() = -1;
  CHECK_FALSE(is_proper_coloring(all, graph, colors));
  CHECK_THROWS_AS(count_colors(all, colors), usage_error);
  colors.pop_back();
  CHECK_THROWS_AS(is_proper_coloring(all, graph, colors), usage_error);
}

TEST_CASE("graphs that do not fit together are refused by all ranks") {
  Communicator const all = world();
  auto graph = random_graph(all, 50, 5, 1);
  std::vector<char> const few(graph.ids.size() + 1, 1);
  CHECK_THROWS_AS(independent_set(all, graph, few), usage_error);
  if (all.rank() == 0)
    graph.edges2ids[0] = 1000;
  CHECK_THROWS_WITH(color_graph(all, graph), Catch::Contains("an edge to node 1000"));
}
