/// Lines: grids in which ranks send to the next ones along a single dimension. For such grids the
/// least volume of any division is known.
#pragma once

#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/strategies/division.hpp>

#include <optional>

namespace seam::detail {

/// A lower bound of the sum and the worst part of any division; nothing unless the problem is a
/// grid of lines of more than one point, with equal weights both ways, and parts of one size.
///
/// A line in k parts is cut k - 1 times. Take lines and parts as the vertices of a graph, with an
/// edge where a part has points of a line: its components hold whole lines and whole parts, hence
/// at least lcm(length of a line, size of a part) points, and one of l lines and p parts has at
/// least l + p - 1 edges. So there are at least as many cuts as parts less components.
std::optional<cut_volume> least_between_lines(division_problem const& problem);

} // namespace seam::detail
