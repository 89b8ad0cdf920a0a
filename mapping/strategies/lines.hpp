/// Lines: grids in which ranks send to the next ones along a single dimension. For these the least
/// that can be sent is known.
#pragma once

#include <seam/mapping/mapping_cost.hpp>
#include <seam/mapping/strategies/division.hpp>

#include <optional>

namespace seam::detail {

/// A bound that no division's sum or worst part is below; nothing unless the problem is a grid of
/// lines that send alike both ways, of more than one point each, and parts are of one size.
///
/// A line in k parts is cut k - 1 times. Take lines and parts as the vertices of a graph, with an
/// edge where a part has points of a line: its components hold whole lines and whole parts, hence
/// at least lcm(length of a line, size of a part) points, and one of l lines and p parts has at
/// least l + p - 1 edges. So there are at least as many cuts as parts less components.
std::optional<cut_volume> least_between_lines(division_problem const& problem);

} // namespace seam::detail
