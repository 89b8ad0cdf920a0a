/// Rules of life-like automata: the numbers of live neighbors at which cells are born and survive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace life {

/// Bit n is set if a cell with n live neighbors is born, or survives.
struct rule {
  std::uint16_t birth = 1U << 3;
  std::uint16_t survival = 1U << 2 | 1U << 3;

  friend bool operator==(rule const&, rule const&) = default;
};

/// Parses "B3/S23" or "S23/B3", in any case and with or without the slash, the older "23/3", or
/// "Life".
/// @throws usage_error  the text has none of these forms
/// Local.
rule parse_rule(std::string_view text);

/// Returns the rule in the form "B3/S23".
std::string to_string(rule const& game);

} // namespace life
