/// Rules of life-like automata: how many live neighbors give birth, and how many let survive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace life {

/// Bit n is set if n live neighbors do it.
struct rule {
  std::uint16_t birth = 1U << 3;
  std::uint16_t survival = 1U << 2 | 1U << 3;

  /// True if a cell lives in the next generation.
  bool lives(bool alive, int neighbors) const {
    return ((alive ? survival : birth) >> neighbors & 1) != 0;
  }

  friend bool operator==(rule const&, rule const&) = default;
};

/// Reads "B3/S23", in any case and with or without the slash, or the older "23/3".
/// @throws usage_error  it is neither. Local.
rule parse_rule(std::string_view text);

/// "B3/S23".
std::string to_string(rule const& what);

} // namespace life
