/// Rules of life-like automata: the numbers of live neighbors at which cells are born and survive.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace life {

/// Bit n is set if a cell with n live neighbors is born, or survives.
struct rule {
  std::uint16_t birth = 1U << 3;
  std::uint16_t survival = 1U << 2 | 1U << 3;

  /// The next state, 0 or 1, of a cell in state `alive`. Compares all 18 cases, in bytes and
  /// without branches, so that compilers vectorize it.
  KOKKOS_FORCEINLINE_FUNCTION std::uint8_t next(std::uint8_t alive, std::uint8_t neighbors) const {
    constexpr std::uint8_t counts = 9;
    auto const found = static_cast<std::uint8_t>(neighbors + (alive != 0 ? counts : 0));
    std::uint8_t state = 0;
    for (std::uint8_t n = 0; n < counts; ++n) {
      auto const born = static_cast<std::uint8_t>(birth >> n & 1);
      auto const survives = static_cast<std::uint8_t>(survival >> n & 1);
      state |= static_cast<std::uint8_t>(found == n) & born;
      state |= static_cast<std::uint8_t>(found == static_cast<std::uint8_t>(n + counts)) & survives;
    }
    return state;
  }

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
