// Strategies: that each returns a mapping, how good the best is on the known cases, and the exact
// ones against brute force.
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/neighborhood.hpp>
#include <seam/mapping/rank_mapping.hpp>
#include <seam/mapping/strategies/division.hpp>
#include <seam/mapping/strategies/grid_edges.hpp>
#include <seam/mapping/strategies/lines.hpp>
#include <seam/mapping/strategies/strips.hpp>

#include <support/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>

using namespace seam;
using namespace seam::detail;
using Catch::Matchers::Contains;

namespace {

using vec = std::vector<int>;

vec unit(std::size_t dimensions, std::size_t k, int s) {
  vec offset(dimensions, 0);
  offset[k] = s;
  return offset;
}

/// Von Neumann's offsets without the last `left_out` dimensions, and further ones along the first.
neighborhood along_axes(std::size_t dimensions, std::size_t left_out, vec const& further) {
  std::vector<vec> list;
  for (std::size_t k = 0; k + left_out < dimensions; ++k)
    for (int const s : {-1, 1})
      list.push_back(unit(dimensions, k, s));
  for (int const s : further)
    list.push_back(unit(dimensions, 0, s));
  return offsets(list);
}

neighborhood named_neighborhood(std::string const& name, std::size_t dimensions) {
  if (name == "von Neumann")
    return von_neumann(1);
  if (name == "Moore")
    return moore(1);
  return name == "hops" ? along_axes(dimensions, 0, {-3, -2, 2, 3}) : along_axes(dimensions, 1, {});
}

stencil_grid grid_of(vec const& extent, neighborhood const& around, bool periodic = false) {
  int const d = static_cast<int>(extent.size());
  return {extent, std::vector<bool>(extent.size(), periodic), around.expand(d)};
}

machine nodes_of_48(stencil_grid const& grid) {
  return parse_machine(fmt::format("node:{} core:48", grid.num_points() / 48));
}

/// For each strategy that fits the volumes between nodes.
std::map<std::string, cut_volume> volumes_of_all(mapping_problem const& problem) {
  std::map<std::string, cut_volume> volumes;
  for (auto const strategy : mapping_strategies())
    if (auto const found = map_ranks(problem, strategy)) {
      static_cast<void>(inverse_permutation(found->ranks2places));
      REQUIRE(found->after == cost_of(problem.graph(), problem.cluster(), found->ranks2places));
      volumes[std::string(strategy)] = found->after.front().volume;
    }
  return volumes;
}

/// A cut of the least sum into parts of the given sizes, by trying all.
std::int64_t least_sum_by_brute_force(weighted_graph const& graph, vec sizes) {
  vec parts(graph.num_ranks());
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::function<void(int)> const place = [&](int rank) {
    if (rank == graph.num_ranks())
      least = std::min(least, sum_between(graph, parts));
    for (int part = 0; rank < graph.num_ranks() && part < std::ssize(sizes); ++part)
      if (sizes[part] > 0) {
        --sizes[part];
        parts[rank] = part;
        place(rank + 1);
        ++sizes[part];
      }
  };
  place(0);
  return least;
}

/// The largest weight inside boxes of `size` points into which straight cuts divide the grid, by
/// trying all cuts everywhere; -1 if there are none.
std::int64_t most_inside_by_brute_force(weighted_graph const& graph, stencil_grid const& grid,
                                        vec const& low, vec const& high, int size) {
  std::int64_t volume = 1;
  for (std::size_t k = 0; k < low.size(); ++k)
    volume *= high[k] - low[k];
  if (volume == size) {
    auto const inside = [&](int rank) {
      for (std::size_t k = low.size(); k-- > 0; rank /= grid.extent[k])
        if (rank % grid.extent[k] < low[k] || rank % grid.extent[k] >= high[k])
          return false;
      return true;
    };
    std::int64_t sum = 0;
    for (int u = 0; u < graph.num_ranks(); ++u)
      for (int e = graph.ranks2edges[u]; e < graph.ranks2edges[u + 1]; ++e)
        sum += inside(u) && inside(graph.edges2ranks[e]) ? graph.edges2weights[e] : 0;
    return sum;
  }
  std::int64_t most = -1;
  for (std::size_t k = 0; k < low.size(); ++k)
    for (int at = low[k] + 1; at < high[k] && volume > size; ++at) {
      vec middle_high = high, middle_low = low;
      middle_high[k] = middle_low[k] = at;
      auto const first = most_inside_by_brute_force(graph, grid, low, middle_high, size),
                 second = most_inside_by_brute_force(graph, grid, middle_low, high, size);
      if (first >= 0 && second >= 0)
        most = std::max(most, first + second);
    }
  return most;
}

weighted_graph random_graph_of(int num_ranks, unsigned seed) {
  std::mt19937 random(seed);
  weighted_graph graph;
  for (int rank = 0; rank < num_ranks; ++rank) {
    for (auto degree = random() % 5; degree > 0; --degree) {
      graph.edges2ranks.push_back(static_cast<int>(random() % unsigned(num_ranks)));
      graph.edges2weights.push_back(1 + static_cast<int>(random() % 4));
    }
    graph.ranks2edges.push_back(graph.num_edges());
  }
  return graph;
}

} // namespace

TEST_CASE("the best is at most the least that is known of each case") {
  struct row {
    vec extent;
    std::string around;
    std::int64_t sum, worst;
  };
  for (row const& known :
       {row{{50, 48}, "von Neumann", 1204, 28}, row{{50, 48}, "hops", 3012, 72},
        row{{50, 48}, "component", 96, 2}, row{{50, 48}, "Moore", 3416, 80},
        row{{75, 64}, "von Neumann", 2562, 28}, row{{75, 64}, "hops", 6274, 68},
        row{{75, 64}, "component", 192, 2}, row{{75, 64}, "Moore", 7290, 80},
        row{{16, 15, 10}, "component", 862, 28}, row{{20, 16, 15}, "component", 1920, 36},
        row{{16, 15, 10}, "von Neumann", 2924, 80}, row{{16, 15, 10}, "hops", 5000, 116},
        row{{16, 15, 10}, "Moore", 20552, 596}, row{{20, 16, 15}, "von Neumann", 6280, 80},
        row{{20, 16, 15}, "hops", 10696, 120}, row{{20, 16, 15}, "Moore", 44724, 596}}) {
    auto const grid = grid_of(known.extent, named_neighborhood(known.around, known.extent.size()));
    mapping_problem const problem(grid, nodes_of_48(grid));
    auto const best = map_ranks(problem, "best")->after.front().volume;
    INFO(fmt::format("{} {}", fmt::join(known.extent, "x"), known.around));
    CHECK(best.sum <= known.sum);
    CHECK(best.worst <= known.worst);
  }
}

TEST_CASE("von Neumann grids are mapped to within two percent of the lower bound") {
  // Twice the least surface of 48 cells for each node, less what lies on the grid's own border.
  for (vec const& extent : {vec{50, 48}, vec{75, 64}, vec{16, 15, 10}, vec{20, 16, 15}}) {
    auto const grid = grid_of(extent, von_neumann(1));
    bool const plane = extent.size() == 2;
    std::int64_t const points = grid.num_points();
    std::int64_t border = 0;
    for (int const n : extent)
      border += 2 * points / n;
    std::int64_t const bound = points / 48 * (plane ? 28 : 80) - border;
    mapping_problem const problem(grid, nodes_of_48(grid));
    auto const found = map_ranks(problem, "best")->after.front().volume.sum;
    INFO(fmt::format("{}: {} of at least {}", fmt::join(extent, "x"), found, bound));
    CHECK(found >= bound);
    CHECK(found * 100 <= bound * 102);
  }
}

TEST_CASE("the strategies of others are as good as they are known to be") {
  auto const grid = grid_of({50, 48}, von_neumann(1));
  auto const found = volumes_of_all({grid, nodes_of_48(grid)});
  CHECK(found.at("blocked") == cut_volume{4704, 96});
  CHECK(found.at("nodecart") == cut_volume{2404, 50});
  CHECK(found.at("hyperplane") == cut_volume{1328, 38});
  CHECK(found.at("k-d tree") == cut_volume{1732, 46});
  CHECK(found.at("best strips") == cut_volume{1224, 30});
  CHECK(found.at("scotch").sum <= 1400);
  CHECK(found.at("random").sum > 9000);
}

TEST_CASE("the best is no worse than any, periodic and weighted") {
  for (vec const& extent : {vec{50, 48}, vec{75, 64}, vec{16, 15, 10}, vec{20, 16, 15}}) {
    std::vector<std::vector<int>> list;
    vec weights;
    for (std::size_t k = 0; k < extent.size(); ++k)
      for (int const s : {-1, 1}) {
        list.push_back(unit(extent.size(), k, s));
        weights.push_back(k == 0 ? 7 : 2);
      }
    auto const weighted = grid_of(extent, offsets(list, weights)),
               periodic = grid_of(extent, von_neumann(1), true),
               wide = grid_of(extent, moore(1), true);
    for (auto const& grid : {weighted, periodic, wide}) {
      auto const found = volumes_of_all({grid, nodes_of_48(grid)});
      for (auto const& [strategy, volume] : found) {
        INFO(fmt::format("{} {}", fmt::join(extent, "x"), strategy));
        CHECK(found.at("best").sum <= volume.sum);
      }
      CHECK(found.at("best").worst <= found.at("identity").worst);
    }
  }
}

TEST_CASE("straight cuts are the best there are") {
  for (vec const& extent : {vec{6, 4}, vec{5, 4}, vec{12}, vec{4, 3, 2}, vec{2, 3, 4}, vec{7, 3}})
    for (bool const periodic : {false, true})
      for (auto const& name : {"von Neumann", "Moore", "hops", "component"}) {
        auto const grid = grid_of(extent, named_neighborhood(name, extent.size()), periodic);
        auto const graph = graph_of(grid);
        int const points = graph.num_ranks();
        for (int const size : {1, 2, 3, 4, 6}) {
          if (points % size != 0)
            continue;
          vec const sizes(points / size, size);
          auto const order = divide_by_guillotine({graph, &grid, sizes});
          auto const inside =
              most_inside_by_brute_force(graph, grid, vec(extent.size(), 0), extent, size);
          INFO(fmt::format("{} {} by {}", fmt::join(extent, "x"), name, size));
          REQUIRE(order.has_value() == (inside >= 0));
          if (order) {
            auto const all = std::accumulate(graph.edges2weights.begin(), graph.edges2weights.end(),
                                             std::int64_t{0});
            REQUIRE(sum_between(graph, ranks2parts_of({graph, &grid, sizes}, *order)) ==
                    all - inside);
          }
        }
      }
}

TEST_CASE("layers that send nothing to each other are divided alike") {
  auto const whole = grid_of({16, 15, 10}, along_axes(3, 1, {})),
             layer = grid_of({16, 15}, von_neumann(1));
  auto const found = volumes_of_all({whole, nodes_of_48(whole)}),
             of_layer = volumes_of_all({layer, nodes_of_48(layer)});
  CHECK(found.at("layers").sum == 10 * of_layer.at("best").sum);
  CHECK(found.at("layers").worst == of_layer.at("best").worst);
  CHECK(found.at("best") == found.at("layers"));
  // Layers along the first dimension, and along two of them.
  for (vec const& extent : {vec{5, 6}, vec{2, 6, 3}}) {
    std::vector<vec> along;
    for (int const s : {-1, 1})
      along.push_back(unit(extent.size(), 1, s));
    auto const grid = grid_of(extent, offsets(along));
    auto const graph = graph_of(grid);
    vec const sizes(graph.num_ranks() / 3, 3);
    auto const order = divide_in_layers({graph, &grid, sizes});
    REQUIRE(order);
    CHECK(sum_between(graph, ranks2parts_of({graph, &grid, sizes}, *order)) ==
          graph.num_ranks() / 6 * 2);
  }
  // There are none, or no whole parts in one.
  CHECK_FALSE(of_layer.contains("layers"));
  auto const columns = grid_of({50, 48}, along_axes(2, 1, {}));
  CHECK_FALSE(volumes_of_all({columns, nodes_of_48(columns)}).contains("layers"));
}

TEST_CASE("nothing is better than lines one after another, where there are only lines") {
  auto const weighted = [](int weight) {
    return offsets(std::vector{vec{0, -1}, vec{0, 1}}, vec{weight, weight});
  };
  for (auto const& [extent, size] :
       {std::pair(vec{2, 4}, 2), std::pair(vec{2, 4}, 4), std::pair(vec{3, 4}, 3),
        std::pair(vec{3, 4}, 6), std::pair(vec{2, 5}, 2), std::pair(vec{4, 3}, 2),
        std::pair(vec{6, 2}, 3), std::pair(vec{1, 12}, 4), std::pair(vec{5, 2}, 10)}) {
    auto const grid = grid_of(extent, weighted(3));
    auto const graph = graph_of(grid);
    vec const sizes(graph.num_ranks() / size, size);
    division_problem const problem{graph, &grid, sizes};
    auto const least = detail::least_between_lines(problem);
    auto const order = divide_in_lines(problem);
    INFO(fmt::format("{} by {}", fmt::join(extent, "x"), size));
    REQUIRE((least && order));
    auto const found = volume_between(graph, ranks2parts_of(problem, *order));
    CHECK(found.sum == least->sum);
    CHECK(found.worst >= least->worst);
    CHECK(least->sum == least_sum_by_brute_force(graph, sizes));
  }
  // Rings, far neighbors, planes, one way only and uneven parts are other problems.
  auto const bound_for = [](neighborhood const& around, bool periodic, vec const& sizes) {
    auto const grid = grid_of({2, 6}, around, periodic);
    auto const graph = graph_of(grid);
    return detail::least_between_lines({graph, &grid, sizes}).has_value();
  };
  CHECK(bound_for(weighted(1), false, {4, 4, 4}));
  CHECK_FALSE(bound_for(weighted(1), true, {4, 4, 4}));
  CHECK_FALSE(bound_for(weighted(1), false, {5, 4, 3}));
  CHECK_FALSE(bound_for(offsets(std::vector{vec{0, -2}, vec{0, 2}}), false, {4, 4, 4}));
  CHECK_FALSE(bound_for(offsets(std::vector<vec>{{0, 1}}), false, {4, 4, 4}));
  CHECK_FALSE(bound_for(von_neumann(1), false, {4, 4, 4}));
}

TEST_CASE("strips go on in the same layer or in the next, whichever is better") {
  struct row {
    vec extent;
    int size;
    std::int64_t sum, worst;
  };
  // Of the first no layer is left before it is full; of the second each strip goes on in the next.
  for (row const& known : {row{{13, 10, 16}, 16, 1624, 16}, row{{15, 11, 9}, 45, 516, 19}}) {
    auto const grid = grid_of(known.extent, named_neighborhood("component", 3));
    auto const graph = graph_of(grid);
    vec const sizes(graph.num_ranks() / known.size, known.size);
    division_problem const problem{graph, &grid, sizes};
    auto const found =
        volume_between(graph, ranks2parts_of(problem, *divide_in_best_strips(problem)));
    INFO(fmt::format("{}: {}/{}", fmt::join(known.extent, "x"), found.sum, found.worst));
    CHECK(found <= cut_volume{known.sum, known.worst});
  }
}

TEST_CASE("strips do not extend across layers, which leaves few to try") {
  auto const layers = grid_of({20, 16, 15}, named_neighborhood("component", 3)),
             cube = grid_of({20, 16, 15}, von_neumann(1));
  auto const plans = detail::strips_to_try(layers, 48);
  CHECK_FALSE(plans.empty());
  for (detail::strip_plan const& plan : plans) {
    CHECK(plan.along != 2);
    CHECK(plan.widths[2] == 1);
  }
  CHECK(2 * plans.size() < detail::strips_to_try(cube, 48).size());
}

TEST_CASE("edges of a grid are counted as in its graph, or the count ends above the limit") {
  std::mt19937 random(7);
  for (vec const& extent : {vec{1}, vec{13}, vec{6, 5}, vec{1, 7}, vec{3, 4, 5}, vec{2, 2, 3, 2}})
    for (bool const periodic : {false, true})
      for (auto const& around :
           {moore(1), von_neumann(3), offsets(std::vector(1, vec(extent.size(), 1)), vec{5}),
            offsets({vec(extent.size(), 1), vec(extent.size(), 0), vec(extent.size(), -1),
                     unit(extent.size(), 0, 2)},
                    {5, 1, 2, 5})}) {
        auto const grid = grid_of(extent, around, periodic);
        auto const graph = graph_of(grid);
        detail::grid_edges const edges(grid);
        vec parts(graph.num_ranks());
        for (int& part : parts)
          part = static_cast<int>(random() % 3);
        auto const sum = sum_between(graph, parts);
        CHECK(edges.sum_between(parts, sum) == sum);
        CHECK((sum == 0 || edges.sum_between(parts, sum - 1) >= sum));
        CHECK((sum == 0 || edges.sum_between(parts, 0) > 0));
        CHECK(edges.volume_between(parts) == volume_between(graph, parts));
      }
}

TEST_CASE("every strategy maps every grid that it fits") {
  for (vec const& extent : {vec{1}, vec{13}, vec{6, 5}, vec{1, 7}, vec{3, 4, 5}, vec{2, 2, 3, 2}})
    for (bool const periodic : {false, true}) {
      auto const grid = grid_of(extent, moore(1), periodic);
      int const points = static_cast<int>(grid.num_points());
      for (std::string const text :
           {"node:20 core:3", "node:100", "node:3 core:30,11,50", "node:1 core:90",
            "node:4 package:2 numa:2 core:5", "node:2 package:1,3 core:20"}) {
        mapping_problem const problem(grid, parse_machine(text).first_places(points));
        auto const found = volumes_of_all(problem);
        CHECK(found.contains("best"));
        CHECK(found.contains("strips"));
        CHECK(is_no_worse(map_ranks(problem, "best")->after, map_ranks(problem, "best")->before));
      }
    }
}

TEST_CASE("uneven nodes are filled to the last place, better than in order") {
  auto const grid = grid_of({24, 25}, von_neumann(1));
  mapping_problem const problem(grid,
                                parse_machine("node:12 core:48,48,64,48,48,64,48,48,48,48,48,40"));
  auto const found = volumes_of_all(problem);
  CHECK(2 * found.at("best").sum < found.at("blocked").sum);
  CHECK(found.at("best").sum <= found.at("scotch").sum);
  CHECK_FALSE(found.contains("nodecart"));
  CHECK_FALSE(found.contains("guillotine"));
}

TEST_CASE("a prime number of ranks on nodes of a common size is mapped") {
  auto const grid = grid_of({101}, along_axes(1, 0, {-2, 2}), true);
  mapping_problem const problem(grid, parse_machine("node:9 core:12").first_places(101));
  CHECK(map_ranks(problem, "best")->after.front().volume.worst <= 12);
}

TEST_CASE("the levels inside a node are mapped too") {
  auto const grid = grid_of({16, 12}, von_neumann(1));
  mapping_problem const problem(grid, parse_machine("node:4 package:2 l3:2 core:12"));
  auto const best = map_ranks(problem, "best")->after;
  // 8 x 6 to a node, 4 x 6 to a package, 4 x 3 to a cache.
  CHECK(to_string(best) == "node 56/14, package 104/16, l3 168/14");
}

TEST_CASE("irregular graphs are mapped, and a hidden grid is found again") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    auto const graph = random_graph_of(60, seed);
    for (std::string const text :
         {"node:5 core:12", "node:4 package:2 core:8", "node:60", "node:3 core:30,10,20"}) {
      mapping_problem const problem(graph, parse_machine(text).first_places(60));
      auto const found = volumes_of_all(problem);
      CHECK_FALSE(found.contains("guillotine"));
      CHECK(found.at("best").sum <= found.at("scotch").sum);
      CHECK(found.at("best").worst <= found.at("identity").worst);
    }
  }
  // The points of a grid in random order.
  auto const grid = graph_of(grid_of({12, 12}, von_neumann(1)));
  vec order(144);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  mapping_problem const shuffled(subgraph(grid, order), parse_machine("node:9 core:16"));
  CHECK(map_ranks(shuffled, "best")->after.front().volume.sum <= 120); // 96 is the least
}

TEST_CASE("swaps never make a division worse, and end at the optimum of small cases") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    auto const graph = random_graph_of(9, seed);
    vec const sizes{4, 3, 2};
    division_problem const problem{.graph = graph, .sizes = sizes};
    auto const start = *divide_randomly(problem);
    auto const end = improved_by_swaps(problem, start);
    auto const before = volume_between(graph, ranks2parts_of(problem, start)),
               after = volume_between(graph, ranks2parts_of(problem, end));
    CHECK(after <= before);
    CHECK(after.worst <= before.worst);
    CHECK(after.sum >= least_sum_by_brute_force(graph, sizes));
  }
  // Two cliques, one rank of each on the wrong side.
  weighted_graph cliques;
  for (int u = 0; u < 8; ++u) {
    for (int v = u / 4 * 4; v < u / 4 * 4 + 4; ++v)
      cliques.edges2ranks.push_back(v);
    cliques.ranks2edges.push_back(cliques.num_edges());
  }
  cliques.edges2weights.assign(cliques.edges2ranks.size(), 1);
  vec const halves{4, 4};
  division_problem const problem{.graph = cliques, .sizes = halves};
  auto const end = improved_by_swaps(problem, {0, 5, 2, 3, 4, 1, 6, 7});
  CHECK(sum_between(cliques, ranks2parts_of(problem, end)) == 0);
}

TEST_CASE("weights may be as large as volumes in bytes are") {
  auto const heavy = [](int weight) {
    return graph_of(grid_of({12, 12}, offsets({{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, vec(4, weight))));
  };
  mapping_problem const light(heavy(1), parse_machine("node:9 core:16")),
      large(heavy(2'000'000'000), parse_machine("node:9 core:16"));
  auto const expected = map_ranks(light, "scotch"), found = map_ranks(large, "scotch");
  CHECK(found->ranks2places == expected->ranks2places);
  CHECK(found->after.front().volume.sum == 2'000'000'000 * expected->after.front().volume.sum);
}

TEST_CASE("sizes are made exact where ranks lose the least") {
  auto const graph = graph_of(grid_of({6}, von_neumann(1)));
  vec const sizes{2, 4};
  vec parts{0, 0, 0, 1, 1, 1};
  make_sizes_exact({.graph = graph, .sizes = sizes}, parts);
  CHECK(parts == vec{0, 0, 1, 1, 1, 1});
  vec all_in_one(6, 0);
  make_sizes_exact({.graph = graph, .sizes = sizes}, all_in_one);
  CHECK(std::ranges::count(all_in_one, 0) == 2);
}

TEST_CASE("the same question has the same answer") {
  auto const grid = grid_of({20, 12}, moore(1));
  for (auto const strategy : mapping_strategies()) {
    mapping_problem const problem(grid, parse_machine("node:10 package:2 core:12"));
    auto const first = map_ranks(problem, strategy), second = map_ranks(problem, strategy);
    REQUIRE(first.has_value() == second.has_value());
    if (first)
      CHECK(first->ranks2places == second->ranks2places);
  }
}

TEST_CASE("what sits well stays, what sits badly moves") {
  auto const grid = grid_of({8, 8}, von_neumann(1));
  auto const cluster = parse_machine("node:4 core:16");
  auto const good = map_ranks({grid, cluster}, "best");
  auto const again = map_ranks({grid, cluster, good->ranks2places}, "best");
  CHECK(again->strategy == "identity");
  CHECK(again->ranks2places == good->ranks2places);
  auto const random = map_ranks({grid, cluster}, "random");
  auto const repaired = map_ranks({grid, cluster, random->ranks2places}, "best");
  CHECK(repaired->before == random->after);
  CHECK(repaired->after == good->after);
}

TEST_CASE("questions that make no sense are refused") {
  auto const grid = grid_of({8, 8}, von_neumann(1));
  auto const cluster = parse_machine("node:4 core:16");
  CHECK_THROWS_WITH(map_ranks({grid, cluster}, "fastest"),
                    Contains("strategy 'fastest'") && Contains("identity, random, blocked"));
  CHECK_THROWS_WITH(mapping_problem(grid, parse_machine("node:4 core:12")),
                    Contains("64 ranks on 48 places of 'node:4 core:12'"));
  CHECK_THROWS_AS(mapping_problem(grid, cluster, {0, 1}), usage_error);
  CHECK_THROWS_AS(mapping_problem(grid, cluster, vec(64, 0)), usage_error);
}
