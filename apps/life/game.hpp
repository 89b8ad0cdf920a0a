/// The kernel of the game: the next states of 64 cells at once, by logic on words with a bit for
/// each. Numbers of neighbors are sums in binary, whose digits lie in words too.
///
///     cells of three rows     0 1 1   0 0 1   1 0 1
///     their sums              1 1 3   =   ones 1 1 1,  twos 0 0 1
#pragma once

#include "packing.hpp"

#include <Kokkos_Macros.hpp>

namespace life {

/// 64 numbers from 0 to 3: ones + 2 twos.
struct sums {
  word ones, twos;
};

/// Adds three bits.
KOKKOS_FORCEINLINE_FUNCTION sums add(word first, word second, word third) {
  word const either = first ^ second;
  return {either ^ third, (first & second) | (either & third)};
}

/// Each cell of `row[0]` with its neighbors to the left and to the right.
KOKKOS_FORCEINLINE_FUNCTION sums sums_along(word const* row) {
  return add(row[0] << 1 | row[-1] >> 63, row[0] >> 1 | row[1] << 63, row[0]);
}

/// Sums along a row without the cells themselves.
KOKKOS_FORCEINLINE_FUNCTION sums without(word cells, sums const& along) {
  word const ones = along.ones ^ cells;
  return {ones, along.twos & ~ones};
}

/// B3/S23: cells that live next have three neighbors, or two and are alive. That is one pair of them,
/// and one more.
struct conway {
  KOKKOS_FORCEINLINE_FUNCTION word operator()(word cells, sums const& above, sums const& beside,
                                              sums const& below) const {
    sums const n = add(above.ones, beside.ones, below.ones);
    word const one = (above.twos ^ beside.twos) ^ (below.twos ^ n.twos);
    word const more = (above.twos & beside.twos) | (below.twos & n.twos);
    return (n.ones | cells) & one & ~more;
  }
};

} // namespace life
