/// The logic of a row: the kernel of game.hpp for one rule as a program, which knows the rule.
#pragma once

#include "logic.hpp"
#include "rule.hpp"

namespace life {

/// The arrays of a row's program. Sums have twos in their second halves.
namespace row_array {
enum : int { row, row_below, sums_above, sums_beside, sums_below, next_row };
}

/// The program that computes a word of the next generation, and on the way the sums of the row
/// below: of cells, and of sums of the row above and of the row itself.
/// Local.
/// Cost: 120 orders of variables are tried, in about a millisecond.
logic row_logic(rule const& game);

} // namespace life
