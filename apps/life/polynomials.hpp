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

LIFE_INLINE bool is_zero(polynomial const& of) {
  word some = 0;
  for (word const coefficient : of.coefficients)
    some |= coefficient;
  return some == 0;
}

/// The kinds of rules that have kernels of their own.
enum class rule_kind {
  conway,         ///< B3/S23
  one_polynomial, ///< without births, without survivors, or with both at the same numbers
  any
};

/// A rule in the forms that kernels take.
struct rule_forms {
  rule_kind kind;
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
    word others = 0;
    for (int k = 4; k < 9; ++k)
      others |= of.coefficients[k];
    is_of_two_digits_ = others == 0;
  }

  LIFE_INLINE value operator()(value n0, value n1, value n2, value n3) const {
    value const low = of_two_digits(0, n0, n1);
    if (is_of_two_digits_)
      return low;
    value const high = of_two_digits(4, n0, n1);
    return Vector::add_product(Vector::add_product(low, n2, high), n3, p_[8]);
  }

private:
  LIFE_INLINE value of_two_digits(int first, value n0, value n1) const {
    value const low = Vector::add_product(p_[first], n0, p_[first + 1]);
    return Vector::add_product(low, n1, Vector::add_product(p_[first + 2], n0, p_[first + 3]));
  }

  value p_[9];
  bool is_of_two_digits_;
};

/// The number of live neighbors of each cell, digit by digit.
template <class Vector>
struct neighbor_count {
  using value = typename Vector::value;

  LIFE_INLINE neighbor_count(value cells, sums<Vector> const& above, sums<Vector> const& beside,
                             sums<Vector> const& below) {
    value const ones_beside = beside.ones ^ cells, twos_beside = beside.twos & ~ones_beside;
    auto const ones = add<Vector>(above.ones, ones_beside, below.ones);
    auto const twos = add<Vector>(above.twos, twos_beside, below.twos);
    value const carry = twos.ones & ones.twos;
    n0 = ones.ones;
    n1 = twos.ones ^ ones.twos;
    n2 = twos.twos ^ carry;
    n3 = twos.twos & carry;
  }

  LIFE_INLINE value in(polynomial_of_vectors<Vector> const& of) const { return of(n0, n1, n2, n3); }

  value n0, n1, n2, n3;
};

/// Rules of one polynomial, which live cells, dead ones, or all follow; the others are dead next.
template <class Vector>
class one_polynomial_rule {
public:
  using value = typename Vector::value;

  LIFE_INLINE explicit one_polynomial_rule(rule_forms const& of)
      : of_followers_(is_zero(of.births) ? of.changes : of.births),
        of_dead_(is_zero(of.births) ? value{} : ~value{}),
        of_all_(is_zero(of.changes) ? ~value{} : value{}) {}

  LIFE_INLINE value operator()(value cells, sums<Vector> const& above, sums<Vector> const& beside,
                               sums<Vector> const& below) const {
    neighbor_count<Vector> const count(cells, above, beside, below);
    return count.in(of_followers_) & ((cells ^ of_dead_) | of_all_);
  }

private:
  polynomial_of_vectors<Vector> of_followers_;
  value of_dead_, of_all_; ///< all bits, if dead cells follow the polynomial, or all do
};

/// Any rule.
template <class Vector>
class any_rule {
public:
  using value = typename Vector::value;

  LIFE_INLINE explicit any_rule(rule_forms const& of) : births_(of.births), changes_(of.changes) {}

  LIFE_INLINE value operator()(value cells, sums<Vector> const& above, sums<Vector> const& beside,
                               sums<Vector> const& below) const {
    neighbor_count<Vector> const count(cells, above, beside, below);
    return Vector::add_product(count.in(births_), cells, count.in(changes_));
  }

private:
  polynomial_of_vectors<Vector> births_, changes_;
};

} // namespace life
