/// Grids, graphs and machines for tests of mappings, and the volumes that strategies reach on them.
#pragma once

#include <seam/mapping/neighborhood.hpp>
#include <seam/mapping/rank_mapping.hpp>

#include <support/catch.hpp>

#include <fmt/format.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace seam::testing {

using vec = std::vector<int>;

/// All lists of so many flags.
inline std::vector<std::vector<bool>> all_flags(std::size_t count) {
  std::vector<std::vector<bool>> all;
  for (unsigned bits = 0; bits < 1u << count; ++bits) {
    std::vector<bool> flags;
    for (std::size_t i = 0; i < count; ++i)
      flags.push_back((bits >> i & 1) != 0);
    all.push_back(flags);
  }
  return all;
}

inline std::vector<vec> offsets_of(offset_list const& list) {
  std::vector<vec> all;
  for (int i = 0; i < list.size(); ++i)
    all.emplace_back(list[i].begin(), list[i].end());
  return all;
}

inline vec unit(int dimensions, int k, int s) {
  vec offset(dimensions, 0);
  offset[k] = s;
  return offset;
}

/// Von Neumann's offsets without the last `left_out` dimensions, and further ones along the first.
inline neighborhood along_axes(int dimensions, int left_out, vec const& further) {
  std::vector<vec> list;
  for (int k = 0; k + left_out < dimensions; ++k)
    for (int const s : {-1, 1})
      list.push_back(unit(dimensions, k, s));
  for (int const s : further)
    list.push_back(unit(dimensions, 0, s));
  return offsets(list);
}

inline neighborhood named_neighborhood(std::string const& name, int dimensions) {
  if (name == "von Neumann")
    return von_neumann(1);
  if (name == "Moore")
    return moore(1);
  return name == "hops" ? along_axes(dimensions, 0, {-3, -2, 2, 3}) : along_axes(dimensions, 1, {});
}

inline stencil_grid grid_of(vec const& extent, neighborhood const& around, bool periodic = false) {
  int const d = std::ssize(extent);
  return {extent, std::vector<bool>(extent.size(), periodic), around.expand(d)};
}

inline machine nodes_of_48(stencil_grid const& grid) {
  return parse_machine(fmt::format("node:{} core:48", grid.num_points() / 48));
}

/// For each strategy that fits the volumes between nodes.
inline std::map<std::string, cut_volume> volumes_of_all(mapping_problem const& problem) {
  std::map<std::string, cut_volume> volumes;
  for (auto const strategy : mapping_strategies())
    if (auto const found = map_ranks(problem, strategy)) {
      static_cast<void>(inverse_permutation(found->ranks2places));
      REQUIRE(found->after == cost_of(problem.graph(), problem.cluster(), found->ranks2places));
      volumes[std::string(strategy)] = found->after.front().volume;
    }
  return volumes;
}

inline weighted_graph random_graph_of(int num_ranks, unsigned seed) {
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

} // namespace seam::testing
