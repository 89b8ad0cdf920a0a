/// Rank mappings: the place of a machine on which each rank of a grid or a graph should sit.
///
///     mapping_problem const problem(stencil_grid{{50, 48}, {false, false},
///                                                von_neumann(1).expand(2)},
///                                   parse_machine("node:50 core:48"));
///     auto const found = map_ranks(problem, "best");
///     found->after.front().volume.sum;                      // 1204; before: 4704
///
/// This is planning: it runs on one process, for any machine. reordering.hpp applies it.
#pragma once

#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/detail/weighted_graph.hpp>
#include <seam/mapping/machine.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seam {

/// Ranks that send to each other, and where they sit now. An immutable value.
class mapping_problem {
public:
  /// @param ranks2places  [grid.num_points()], where ranks sit now; in order if empty
  /// @throws usage_error  the numbers of places and ranks differ, or the list is no permutation
  mapping_problem(stencil_grid grid, machine cluster, std::vector<int> ranks2places = {});
  mapping_problem(weighted_graph graph, machine cluster, std::vector<int> ranks2places = {});

  weighted_graph const& graph() const noexcept { return graph_; }

  /// The grid from which the graph is made; nullptr for other graphs.
  stencil_grid const* grid() const noexcept { return grid_ ? &*grid_ : nullptr; }

  machine const& cluster() const noexcept { return cluster_; }
  std::span<int const> ranks2places() const noexcept { return ranks2places_; }

private:
  void check();

  std::optional<stencil_grid> grid_;
  weighted_graph graph_;
  machine cluster_;
  std::vector<int> ranks2places_;
};

/// A mapping, with its costs before and after.
struct rank_mapping {
  std::string strategy;          ///< that found the mapping; "best" gives the name of the winner
  std::vector<int> ranks2places; ///< [num_ranks], a permutation
  mapping_cost before, after;    ///< the costs of the present and the new places
  double seconds = 0;            ///< time to find the mapping [s]
};

/// The names of the strategies, the present places ("identity") first and "best" last.
std::span<std::string_view const> mapping_strategies();

/// Finds places for all ranks: on the nodes first, then in the packages of each node and so on.
///
/// "best" takes the mapping with the least volume between nodes of all strategies for the problem,
/// improves it by swaps, and returns the present mapping where that is no worse; its worst node is
/// never worse than now. Grids are mapped by the strategies for grids, and by Scotch if they are
/// small and have no straight cuts; other graphs by Scotch. "random" is for tests: a program that
/// relies on an order of ranks fails with it.
///
/// @return              nothing where the strategy does not fit the problem
/// @throws usage_error  there is no such strategy
/// Local, deterministic: ranks that give the same arguments get the same mapping.
/// Source: strategies/division.hpp names the source of each strategy.
std::optional<rank_mapping> map_ranks(mapping_problem const& problem, std::string_view strategy);

/// The cost of a level in words: "node 1204/28, package 2300/14" for sums and worst parts.
std::string to_string(mapping_cost const& cost);

} // namespace seam
