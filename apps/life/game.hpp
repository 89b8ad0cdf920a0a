/// The kernel of the game: the next states of 64 cells in each word of a vector, by logic on words
/// with a bit for each. Numbers of neighbors are sums in binary, whose digits lie in words too.
///
///     cells of three rows     0 1 1   0 0 1   1 0 1
///     their sums              1 1 3   =   ones 1 1 1,  twos 0 0 1
#pragma once

#include "vectors.hpp"

namespace life {

/// Numbers from 0 to 3: ones + 2 twos.
template <class Vector>
struct sums {
  typename Vector::value ones, twos;
};

/// Adds three bits.
template <class Vector, class Value = typename Vector::value>
LIFE_INLINE sums<Vector> add(Value first, Value second, Value third) {
  return {Vector::parity(first, second, third), Vector::majority(first, second, third)};
}

/// Each cell of the vector at `row` with its neighbors to the left and to the right.
template <class Vector>
LIFE_INLINE sums<Vector> sums_along(word const* row) {
  auto const here = Vector::load(row);
  return add<Vector>(Vector::left(here, Vector::load(row - 1)),
                     Vector::right(here, Vector::load(row + 1)), here);
}

/// B3/S23: cells live next if three cells live among them and their neighbors, or four and they are
/// alive.
template <class Vector>
struct conway {
  LIFE_INLINE auto operator()(typename Vector::value cells, sums<Vector> const& above,
                              sums<Vector> const& beside, sums<Vector> const& below) const {
    auto const ones = add<Vector>(above.ones, beside.ones, below.ones);
    auto const twos = add<Vector>(above.twos, beside.twos, below.twos);
    auto const odd_twos = twos.ones ^ ones.twos; // of one two or three
    auto const three = ones.ones & odd_twos & ~twos.twos;
    auto const four = ~ones.ones & ~odd_twos & (twos.ones ^ twos.twos);
    return three | (cells & four);
  }
};

} // namespace life
