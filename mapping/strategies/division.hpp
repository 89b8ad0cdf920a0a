/// Divisions: the one question that every strategy answers. Some ranks are to be divided among
/// parts of given sizes, so that little is sent between parts. The answer is the order in which the
/// parts, one after the other, are filled. level_by_level.hpp asks it for each level of a machine.
///
/// Each strategy is a file of its own beside this one.
#pragma once

#include <seam/mapping/weighted_graph.hpp>

#include <optional>
#include <span>
#include <vector>

namespace seam {

/// What is to be divided.
struct division_problem {
  weighted_graph const& graph;
  stencil_grid const* grid = nullptr; ///< of which `graph` is made; nullptr for other graphs
  std::span<int const> sizes;         ///< [num_parts], at least 1 each, in sum the number of ranks

  int num_ranks() const noexcept { return graph.num_ranks(); }
  int num_parts() const noexcept { return static_cast<int>(sizes.size()); }

  /// The size of all parts if it is the same, otherwise nothing.
  std::optional<int> common_size() const;

  /// The size of a part, on average and rounded down.
  int mean_size() const { return num_ranks() / num_parts(); }
};

/// All ranks in the order in which they fill the parts. [num_ranks]
using filling = std::vector<int>;

/// A filling, or nothing if the strategy does not fit the problem.
/// Local, deterministic.
using division_strategy = std::optional<filling> (*)(division_problem const&);

/// For each place in the order of filling the part that it belongs to. [num_ranks]
std::vector<int> places2parts_of(division_problem const& problem);

/// The part that each rank is put into. [num_ranks]
std::vector<int> ranks2parts_of(division_problem const& problem, filling const& order);

/// The ranks part after part, otherwise in increasing order.
/// @param ranks2parts  [num_ranks], with as many ranks of each part as its size
filling filling_of(division_problem const& problem, std::span<int const> ranks2parts);

/// In the order of their numbers.
std::optional<filling> divide_blocked(division_problem const& problem);

/// In a random order, the same every time: the adversary.
std::optional<filling> divide_randomly(division_problem const& problem);

/// In boxes all alike that tile the grid, of the least surface whatever the stencil. For parts of
/// one size.
/// Source: Gropp, "Using node and socket information to implement MPI Cartesian topologies",
/// Parallel Computing 85 (2019).
std::optional<filling> divide_in_equal_boxes(division_problem const& problem);

/// Halves the grid by the hyperplane that severs the least of the stencil, where both sides can be
/// whole parts, until parts are left. For grids.
/// Source: arXiv 2005.09521 (Hyperplane).
std::optional<filling> divide_by_hyperplanes(division_problem const& problem);

/// Halves the grid across its longest side, in units of the stencil's edges along it, down to
/// single points, and fills the parts with these in their order. For grids.
/// Source: arXiv 2005.09521 (k-d tree).
std::optional<filling> divide_by_kd_tree(division_problem const& problem);

/// Fills the parts along strips as wide as a part should be, to and fro. For grids.
/// Source: arXiv 2005.09521 (stencil strips).
std::optional<filling> divide_in_strips(division_problem const& problem);

/// The same for the best of many widths and directions. For grids.
std::optional<filling> divide_in_best_strips(division_problem const& problem);

/// The best of all ways to cut the grid by straight cuts, each through one box, into one box for
/// each part: f(box) = weight of the edges inside it if it is of the size of a part, else the
/// largest f(left) + f(right) over all cuts. Ties go to the larger least box. For parts of one size
/// and grids that have such cuts.
/// Cost: number of boxes times cuts; below a millisecond for some thousand ranks.
std::optional<filling> divide_by_guillotine(division_problem const& problem);

/// Layers that send nothing to each other, all alike: the best division of one of them. For parts
/// of one size, whole ones of which make a layer.
std::optional<filling> divide_in_layers(division_problem const& problem);

/// Line after line, where ranks send to the next ones along a single dimension only. Nothing less
/// can be sent between parts of one size (see lines.hpp).
std::optional<filling> divide_in_lines(division_problem const& problem);

/// By Scotch's static mapping onto the parts.
std::optional<filling> divide_by_scotch(division_problem const& problem);

/// The best that the others find, improved by swaps. Scotch is asked where the graph is no grid, or
/// a small one without straight cuts.
std::optional<filling> divide_best(division_problem const& problem);

/// A filling with no larger sum of volumes, nor a worse worst part, which swapping pairs of ranks
/// between parts leads to.
/// Cost: bounded by some swaps for each rank.
filling improved_by_swaps(division_problem const& problem, filling const& order);

/// Moves ranks from parts that have too many to those that have too few, those that gain the most
/// or lose the least. @param ranks2parts  [num_ranks], changed in place
void make_sizes_exact(division_problem const& problem, std::vector<int>& ranks2parts);

} // namespace seam
