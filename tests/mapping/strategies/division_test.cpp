// Single strategies on small grids and graphs: exact ones against brute force, the others against what
// is known of their divisions.
#include <seam/mapping/neighborhood.hpp>
#include <seam/mapping/strategies/division.hpp>
#include <seam/mapping/strategies/grid_edges.hpp>
#include <seam/mapping/strategies/strips.hpp>

#include <support/catch.hpp>
#include <support/mapping_problem.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

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
  for (int k = 0; k < std::ssize(low); ++k)
    volume *= high[k] - low[k];
  if (volume == size) {
    auto const inside = [&](int rank) {
      for (int k = std::ssize(low); k-- > 0; rank /= grid.extent[k])
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
  for (int k = 0; k < std::ssize(low); ++k)
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

} // namespace

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
  // In the first grid each layer is filled before the next one; in the second each strip goes on in
  // the next layer.
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
