// Strategies: each returns a mapping, and the best of them is good on the known cases.
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/neighborhood.hpp>
#include <seam/mapping/rank_mapping.hpp>

#include <support/catch.hpp>
#include <support/mapping_problem.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace seam;
using namespace seam::testing;
using Catch::Contains;

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
    for (int k = 0; k < std::ssize(extent); ++k)
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
