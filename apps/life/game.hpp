/// The kernel of the game: a generation's state of one cell from the one before.
#pragma once

#include "rule.hpp"

#include <array>
#include <cstdint>

namespace life {

/// A rule as bytes, which processors without per-lane shifts can look up by comparing.
class transition {
public:
  explicit transition(rule const& game) {
    for (int n = 0; n <= 8; ++n) {
      dead_[static_cast<std::size_t>(n)] = game.lives(false, n) ? 1 : 0;
      alive_[static_cast<std::size_t>(n)] = game.lives(true, n) ? 1 : 0;
    }
  }

  /// The next state, 0 or 1, of a cell in state `now` with `neighbors` live ones.
  std::uint8_t operator()(std::uint8_t now, std::uint8_t neighbors) const {
    std::uint8_t next = 0;
#pragma GCC unroll 9
    for (std::uint8_t n = 0; n <= 8; ++n) {
      auto const outcome = static_cast<std::uint8_t>(now != 0 ? alive_[n] : dead_[n]);
      next = static_cast<std::uint8_t>(next | (neighbors == n ? outcome : 0));
    }
    return next;
  }

private:
  std::array<std::uint8_t, 9> dead_{}, alive_{};
};

/// Live cells among the eight around (i, j).
template <class View>
std::uint8_t neighbors_of(View const& u, int i, int j) {
  return static_cast<std::uint8_t>(u(i - 1, j - 1) + u(i - 1, j) + u(i - 1, j + 1) + u(i, j - 1) +
                                   u(i, j + 1) + u(i + 1, j - 1) + u(i + 1, j) + u(i + 1, j + 1));
}

} // namespace life
