/// Polynomials: rules that are known when the program runs, as logic without branches.
#pragma once

#include "game.hpp"

namespace life {

/// A function of a number n0 + 2 n1 + 4 n2 + 8 n3 from 0 to 8, as a polynomial in its digits: sums
/// are ^, products are &.
struct polynomial {
  /// Of 1, n0, n1, n0 n1, n2, n0 n2, n1 n2, n0 n1 n2, n3, each for all bits of a word.
  word coefficients[9];
};

/// A rule in the forms that kernels take.
struct rule_forms {
  bool is_conway;             ///< B3/S23
  polynomial births, changes; ///< next states of dead cells, and where those of live cells differ
};

/// A polynomial with a coefficient in each word of a vector.
template <class Vector>
class polynomial_of_vectors {
public:
  using value = typename Vector::value;

  LIFE_INLINE explicit polynomial_of_vectors(polynomial const& of) {
    for (int k = 0; k < 9; ++k)
      p_[k] = Vector::all(of.coefficients[k]);
  }

  LIFE_INLINE value operator()(value n0, value n1, value n2, value n3) const {
    value const low = of_two_digits(0, n0, n1), high = of_two_digits(4, n0, n1);
    return Vector::add_product(Vector::add_product(low, n2, high), n3, p_[8]);
  }

private:
  LIFE_INLINE value of_two_digits(int first, value n0, value n1) const {
    value const low = Vector::add_product(p_[first], n0, p_[first + 1]);
    return Vector::add_product(low, n1, Vector::add_product(p_[first + 2], n0, p_[first + 3]));
  }

  value p_[9];
};

/// Any rule.
template <class Vector>
class any_rule {
public:
  using value = typename Vector::value;

  LIFE_INLINE explicit any_rule(rule_forms const& of) : births_(of.births), changes_(of.changes) {}

  LIFE_INLINE value operator()(value cells, sums<Vector> const& above, sums<Vector> const& beside,
                               sums<Vector> const& below) const {
    value const ones_beside = beside.ones ^ cells, twos_beside = beside.twos & ~ones_beside;
    auto const ones = add<Vector>(above.ones, ones_beside, below.ones);
    auto const twos = add<Vector>(above.twos, twos_beside, below.twos);
    value const n1 = twos.ones ^ ones.twos, carry = twos.ones & ones.twos;
    value const n2 = twos.twos ^ carry, n3 = twos.twos & carry;
    return Vector::add_product(births_(ones.ones, n1, n2, n3), cells,
                               changes_(ones.ones, n1, n2, n3));
  }

private:
  polynomial_of_vectors<Vector> births_, changes_;
};

} // namespace life
