/// Divisions: the problem that every strategy solves. Ranks are divided among parts of given sizes,
/// so that little is sent between parts. The solution is the order in which ranks fill the parts:
///
///     sizes 2, 3     order  4 1 | 0 2 3      ranks 4 and 1 fill part 0, the others part 1
///
/// level_by_level.hpp solves it for each level of a machine. Each strategy is a file of its own
/// beside this one.
#pragma once

#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/detail/weighted_graph.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seam::detail {

/// The ranks to be divided, and the parts that they fill.
struct division_problem {
  weighted_graph const& graph;
  stencil_grid const* grid = nullptr; ///< from which `graph` is made; nullptr for others
  std::span<int const> sizes;         ///< [num_parts], at least 1 each, in sum the number of ranks

  int num_ranks() const noexcept { return graph.num_ranks(); }
  int num_parts() const noexcept { return std::ssize(sizes); }

  /// The size of the parts if all have the same, otherwise nothing.
  std::optional<int> common_size() const;

  /// The size of a part, on average and rounded down.
  int mean_size() const { return num_ranks() / num_parts(); }
};

/// All ranks in the order in which they fill the parts. [num_ranks]
using filling = std::vector<int>;

/// A filling, or nothing if the strategy does not fit the problem.
/// Local, deterministic.
using division_strategy = std::optional<filling> (*)(division_problem const&);

/// The part of each place, in the order of filling. [num_ranks]
std::vector<int> places2parts_of(division_problem const& problem);

/// The part that each rank is put into. [num_ranks]
std::vector<int> ranks2parts_of(division_problem const& problem, filling const& order);

/// The ranks in the order of their parts, within a part in increasing order.
/// @param ranks2parts  [num_ranks], in which each part occurs as often as its size says
filling filling_of(division_problem const& problem, std::span<int const> ranks2parts);

/// Fills the parts with ranks in increasing order.
std::optional<filling> divide_blocked(division_problem const& problem);

/// Fills the parts with ranks in a random order, the same every time, for tests.
std::optional<filling> divide_randomly(division_problem const& problem);

/// Divides the grid into equal boxes that tile it, of the least surface whatever the stencil. For
/// parts of one size.
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

/// Fills the parts along strips, of the best of many widths and directions. For grids.
std::optional<filling> divide_in_best_strips(division_problem const& problem);

/// The best of all ways to cut the grid by straight cuts, each through one box, into one box for
/// each part: f(box) = weight of the edges inside it if it is of the size of a part, else the
/// largest f(left) + f(right) over all cuts. Ties go to the larger least box. For parts of one size
/// and grids that have such cuts.
/// Cost: number of boxes times cuts; below a millisecond for some thousand ranks.
std::optional<filling> divide_by_guillotine(division_problem const& problem);

/// Divides equal layers that send nothing to each other, all by the best division of one of them.
/// For parts of one size, if a layer consists of a whole number of them.
std::optional<filling> divide_in_layers(division_problem const& problem);

/// Fills the parts line after line, if ranks send only to the next ones along a single dimension.
/// No division into parts of one size sends less between them (see least_between_lines()).
std::optional<filling> divide_in_lines(division_problem const& problem);

/// Divides by Scotch's static mapping onto the parts.
std::optional<filling> divide_by_scotch(division_problem const& problem);

/// Returns the best division of the other strategies, improved by swaps. Scotch is among them if
/// the graph is no grid, or a small one without straight cuts.
std::optional<filling> divide_best(division_problem const& problem);

/// Improves a filling by swapping pairs of ranks between parts: neither the sum of volumes nor that
/// of the worst part grows.
/// Cost: bounded by some swaps for each rank.
filling improved_by_swaps(division_problem const& problem, filling const& order);

/// Moves ranks from parts that have too many to parts that have too few, first the ranks that gain
/// the most or lose the least.
/// @param ranks2parts  [num_ranks], changed in place
void make_sizes_exact(division_problem const& problem, std::vector<int>& ranks2parts);

/// Lines are grids in which ranks send to the next ones along a single dimension.
///
/// A lower bound of the sum and the worst part of any division; nothing unless the problem is a
/// grid of lines of more than one point, with equal weights both ways, and parts of one size.
///
/// A line in k parts is cut k - 1 times. Take lines and parts as the vertices of a graph, with an
/// edge where a part has points of a line: its components hold whole lines and whole parts, hence
/// at least lcm(length of a line, size of a part) points, and one of l lines and p parts has at
/// least l + p - 1 edges. So there are at least as many cuts as parts less components.
std::optional<cut_volume> least_between_lines(division_problem const& problem);

/// A division with its strategy's name.
struct named_filling {
  std::string name;
  filling order;
};

/// The division of least volume among the present one and the results of the strategies for the
/// problem, improved by swaps.
///
/// @param present  [num_ranks], the part of each rank now; the result's worst part is no worse than
///                 the worst part of `present`; or empty
/// Local, deterministic.
named_filling best_division(division_problem const& problem, std::span<int const> present);

} // namespace seam::detail
