// Costs of mappings against an oracle that looks at every pair of ranks, and in closed form.
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/neighborhood.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>

using namespace seam;
using namespace seam::detail;

namespace {

weighted_graph random_graph_of(int num_ranks, std::mt19937& random) {
  weighted_graph graph;
  auto const any_rank = [&] { return static_cast<int>(random() % unsigned(num_ranks)); };
  for (int rank = 0; rank < num_ranks; ++rank) {
    for (auto degree = random() % 6; degree > 0; --degree) {
      graph.edges2ranks.push_back(any_rank());
      graph.edges2weights.push_back(static_cast<int>(random() % 9));
    }
    graph.ranks2edges.push_back(graph.num_edges());
  }
  return graph;
}

/// [from][to], the weight of all edges between two ranks
std::vector<std::vector<std::int64_t>> matrix_of(weighted_graph const& graph) {
  std::vector matrix(graph.num_ranks(), std::vector<std::int64_t>(graph.num_ranks(), 0));
  for (int u = 0; u < graph.num_ranks(); ++u)
    for (int e = graph.ranks2edges[u]; e < graph.ranks2edges[u + 1]; ++e)
      matrix[u][graph.edges2ranks[e]] += graph.edges2weights[e];
  return matrix;
}

/// The volumes by looking at each pair of ranks for each part.
cut_volume volume_by_pairs(weighted_graph const& graph, std::vector<int> const& parts) {
  auto const matrix = matrix_of(graph);
  cut_volume volume;
  for (int part = 0; part <= std::ranges::max(parts); ++part) {
    std::int64_t leaving = 0, entering = 0;
    for (int u = 0; u < graph.num_ranks(); ++u)
      for (int v = 0; v < graph.num_ranks(); ++v) {
        leaving += parts[u] == part && parts[v] != part ? matrix[u][v] : 0;
        entering += parts[u] != part && parts[v] == part ? matrix[u][v] : 0;
      }
    volume.sum += leaving;
    volume.worst = std::max({volume.worst, leaving, entering});
  }
  return volume;
}

std::vector<int> in_order(int count) {
  std::vector<int> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

} // namespace

TEST_CASE("volumes are those between each pair of ranks") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    int const num_ranks = 1 + static_cast<int>(random() % 20);
    auto const graph = random_graph_of(num_ranks, random);
    std::vector<int> parts;
    for (int rank = 0; rank < num_ranks; ++rank)
      parts.push_back(static_cast<int>(random() % 4));
    auto const expected = volume_by_pairs(graph, parts);
    REQUIRE(volume_between(graph, parts) == expected);
    REQUIRE(sum_between(graph, parts) == expected.sum);
  }
}

TEST_CASE("blocks of rows cost what the known tables say") {
  stencil_grid const plane{{50, 48}, {false, false}, von_neumann(1).expand(2)};
  auto const cost = cost_of(graph_of(plane), parse_machine("node:50 core:48"), in_order(2400));
  CHECK(cost == mapping_cost{{"node", {4704, 96}}});
  stencil_grid const block{{16, 15, 10}, {false, false, false}, moore(1).expand(3)};
  CHECK(cost_of(graph_of(block), parse_machine("node:50 core:48"), in_order(2400)) ==
        mapping_cost{{"node", {38800, 867}}});
}

TEST_CASE("each level has its cost, in the order of the tree") {
  // A ring of 8, two to a package: all edges between cores, 8 of 16 between packages, 4 of these
  // between nodes.
  stencil_grid const ring{{8}, {true}, von_neumann(1).expand(1)};
  auto const graph = graph_of(ring);
  auto const cluster = parse_machine("node:2 package:2 core:2");
  CHECK(cost_of(graph, cluster, in_order(8)) ==
        mapping_cost{{"node", {4, 2}}, {"package", {8, 2}}});
  CHECK(cost_of(graph, cluster, std::vector{0, 4, 1, 5, 2, 6, 3, 7}) ==
        mapping_cost{{"node", {16, 8}}, {"package", {16, 4}}});
  CHECK(cost_of(graph, parse_machine("node:8"), in_order(8)) == mapping_cost{{"node", {16, 2}}});
}

TEST_CASE("weights count, and directions apart") {
  stencil_grid const line{{4}, {false}, offsets({{1}, {2}}, {10, 1}).expand(1)};
  auto const cost = cost_of(graph_of(line), parse_machine("node:2 core:2"), in_order(4));
  // 1 -> 2 along 1; 0 -> 2 and 1 -> 3 along 2. Nothing comes back.
  CHECK(cost.front().volume == cut_volume{12, 12});
}

TEST_CASE("grids have the edges that their neighbors say") {
  stencil_grid const ring{{3, 1}, {true, true}, offsets({{1, 0}, {-4, 1}}, {2, 5}).expand(2)};
  CHECK(graph_of(ring) == weighted_graph{{0, 2, 4, 6}, {1, 2, 2, 0, 0, 1}, {2, 5, 2, 5, 2, 5}});
  stencil_grid const line{{3}, {false}, offsets({{1}, {-2}}).expand(1)};
  CHECK(graph_of(line) == weighted_graph{{0, 1, 2, 3}, {1, 2, 0}, {1, 1, 1}});
  CHECK_FALSE(line.is_symmetric());
  CHECK(stencil_grid{{9, 9}, {true, true}, moore(2).expand(2)}.is_symmetric());
}

TEST_CASE("both directions together, and parts of graphs") {
  weighted_graph const graph{{0, 3, 4, 5}, {1, 0, 1, 2, 1}, {2, 9, 3, 5, 7}};
  CHECK(symmetrized(graph) == weighted_graph{{0, 1, 3, 4}, {1, 0, 2, 1}, {5, 5, 12, 12}});
  CHECK(subgraph(graph, std::vector{2, 1}) == weighted_graph{{0, 1, 2}, {1, 0}, {7, 5}});
}

TEST_CASE("no worse means neither sum nor worst part on the first level that differs") {
  mapping_cost const base{{"node", {10, 4}}, {"package", {20, 5}}};
  auto const with = [&](cut_volume node, cut_volume package) {
    return mapping_cost{{"node", node}, {"package", package}};
  };
  CHECK(is_no_worse(base, base));
  CHECK(is_no_worse(with({9, 4}, {30, 9}), base));
  CHECK_FALSE(is_no_worse(with({9, 5}, {20, 5}), base));
  CHECK_FALSE(is_no_worse(with({11, 3}, {20, 5}), base));
  CHECK_FALSE(is_no_worse(with({10, 4}, {21, 5}), base));
}

TEST_CASE("lists that are no mapping are refused") {
  stencil_grid const line{{4}, {false}, von_neumann(1).expand(1)};
  auto const graph = graph_of(line);
  auto const cluster = parse_machine("node:2 core:2");
  CHECK_THROWS_AS(cost_of(graph, cluster, std::vector{0, 1, 2}), usage_error);
  CHECK_THROWS_AS(cost_of(graph, cluster, std::vector{0, 1, 2, 2}), usage_error);
  CHECK_THROWS_AS(cost_of(graph, cluster, std::vector{0, 1, 2, 4}), usage_error);
  CHECK_THROWS_AS(cost_of(graph, parse_machine("node:2 core:3"), in_order(4)), usage_error);
  CHECK_THROWS_AS(graph_of({{4, 0}, {false, false}, von_neumann(1).expand(2)}), usage_error);
  CHECK_THROWS_AS(graph_of({{4}, {false, false}, von_neumann(1).expand(1)}), usage_error);
  CHECK_THROWS_AS(graph_of({{4, 4}, {false, false}, von_neumann(1).expand(1)}), usage_error);
  CHECK_THROWS_AS(graph_of({{1 << 15, 1 << 15}, {false, false}, von_neumann(1).expand(2)}),
                  usage_error);
}
