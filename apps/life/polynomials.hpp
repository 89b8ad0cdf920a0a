/// Polynomials: rules that are known when the program runs, as logic without branches. They serve
/// processors for which there is no machine code.
#pragma once

#include "game.hpp"

#include <array>

namespace life {

/// A function of a number n0 + 2 n1 + 4 n2 + 8 n3 from 0 to 8, as a polynomial in its digits: sums
/// are ^, products are &.
struct polynomial {
  std::array<word, 9> p; ///< coefficients of 1, n0, n1, n0 n1, n2, n0 n2, n1 n2, n0 n1 n2, n3

  KOKKOS_FORCEINLINE_FUNCTION word operator()(word n0, word n1, word n2, word n3) const {
    word const low = (p[0] ^ (n0 & p[1])) ^ (n1 & (p[2] ^ (n0 & p[3])));
    word const high = (p[4] ^ (n0 & p[5])) ^ (n1 & (p[6] ^ (n0 & p[7])));
    return low ^ (n2 & high) ^ (n3 & p[8]);
  }
};

/// Any rule: the next states of cells that are dead, and where those of live cells differ.
struct any_rule {
  polynomial births, changes;

  KOKKOS_FORCEINLINE_FUNCTION word operator()(word cells, sums const& above, sums const& beside,
                                              sums const& below) const {
    sums const n = add(above.ones, beside.ones, below.ones);
    sums const twos = add(above.twos, beside.twos, below.twos);
    word const n1 = twos.ones ^ n.twos, carry = twos.ones & n.twos;
    word const n2 = twos.twos ^ carry, n3 = twos.twos & carry;
    return births(n.ones, n1, n2, n3) ^ (cells & changes(n.ones, n1, n2, n3));
  }
};

/// The polynomials of a rule.
any_rule in_polynomials(rule const& game);

} // namespace life
