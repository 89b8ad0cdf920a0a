/// Lookups: programs of logic in functions of three values, for processors that have any such
/// function in one instruction.
///
///     a ^ b ^ c           lookup 0x96 of a, b, c
///     a & b | (a ^ b) & c lookup 0xe8 of a, b, c
#pragma once

#include "logic.hpp"

namespace life {

/// Covers the operations on bits of a program with few lookups.
/// @return  a program with the same effect, whose steps are all used
/// Local.
logic in_lookups(logic const& program);

/// Number of lookups of a program.
int num_lookups(logic const& program);

} // namespace life
