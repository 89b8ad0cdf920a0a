/// The kernel of the game: computes the state of one cell from the generation before.
#pragma once

#include "rule.hpp"

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace life {

/// Number of live cells among the eight around (i, j).
template <class View>
KOKKOS_FORCEINLINE_FUNCTION std::uint8_t neighbors_of(View const& u, int i, int j) {
  return static_cast<std::uint8_t>(u(i - 1, j - 1) + u(i - 1, j) + u(i - 1, j + 1) + u(i, j - 1) +
                                   u(i, j + 1) + u(i + 1, j - 1) + u(i + 1, j) + u(i + 1, j + 1));
}

/// The next state, 0 or 1, of cell (i, j).
template <class View>
KOKKOS_FORCEINLINE_FUNCTION std::uint8_t next_state(rule const& game, View const& u, int i, int j) {
  return game.next(u(i, j), neighbors_of(u, i, j));
}

} // namespace life
