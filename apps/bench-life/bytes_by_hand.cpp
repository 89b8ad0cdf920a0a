// A plain loop, one byte for each cell.
#include "torus_by_hand.hpp"

#include <array>

namespace life_bench {
namespace {

using byte = std::uint8_t;
using states_of_cases =
    std::array<byte, 18>; ///< next states by neighbors, of dead cells and of live

/// Compares all 18 cases without branches, so that compilers vectorize it.
LIFE_BENCH_CLONES void compute(byte const* above, byte const* here, byte const* below, byte* to,
                               std::int64_t num_cells, states_of_cases const& of_cases) {
  states_of_cases const states = of_cases;
#pragma GCC ivdep
  for (std::int64_t j = 0; j < num_cells; ++j) {
    auto const found =
        static_cast<byte>(above[j - 1] + above[j] + above[j + 1] + here[j - 1] + here[j + 1] +
                          below[j - 1] + below[j] + below[j + 1] + 9 * here[j]);
    byte state = 0;
    for (byte c = 0; c < 18; ++c)
      state |= static_cast<byte>(found == c) & states[c];
    to[j] = state;
  }
}

states_of_cases states_by(life::rule const& rule) {
  states_of_cases states{};
  for (int n = 0; n < 9; ++n) {
    states[n] = static_cast<byte>(rule.birth >> n & 1);
    states[9 + n] = static_cast<byte>(rule.survival >> n & 1);
  }
  return states;
}

} // namespace

std::unique_ptr<contender> bytes_by_hand(game const& played) {
  auto compute_row = [states = states_by(played.rule)](auto... row) { compute(row..., states); };
  return std::make_unique<torus_by_hand<byte, decltype(compute_row)>>(played, compute_row);
}

} // namespace life_bench
