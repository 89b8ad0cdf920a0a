/// The best division, and the name of the strategy that found it.
#pragma once

#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/strategies/division.hpp>

#include <optional>
#include <string>

namespace seam::detail {

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
