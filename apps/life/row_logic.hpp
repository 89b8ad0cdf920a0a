/// The logic of a row: the kernel of game.hpp for one rule as a program, which knows the rule.
#pragma once

#include "logic.hpp"
#include "rule.hpp"

#include <functional>

namespace life {

/// The program that computes a word of the next generation of a row. It loads words of the row
/// below, and keeps sums along the two rows above that one, and the row's cells.
/// @param cost_of  what a program costs; the cheapest is taken
/// Local.
/// Cost: 60 programs are made.
logic row_logic(rule const& game, std::function<int(logic const&)> const& cost_of);

} // namespace life
