#include <seam/exchange/sums/detail/exact_accumulator.hpp>

#include <cmath>
#include <limits>

namespace seam::detail {

void exact_accumulator::add_product(double a, double b) noexcept {
  parts const left(a), right(b);
  if (left.is_special || right.is_special)
    return add_special(a * b);
  wide const product = wide{left.mantissa} * right.mantissa;
  constexpr int half = 53;
  constexpr auto low_half = (std::uint64_t{1} << half) - 1;
  int const place = left.place + right.place + lowest_exponent;
  bool const is_negative = left.is_negative != right.is_negative;
  add_bits(static_cast<std::uint64_t>(product) & low_half, place, is_negative);
  add_bits(static_cast<std::uint64_t>(product >> half), place + half, is_negative);
  count_addition();
}

void exact_accumulator::merge(exact_accumulator const& other) noexcept {
  exact_accumulator carried = other;
  carried.carry();
  carry();
  for (int w = 0; w < num_words; ++w)
    words_[w] += carried.words_[w];
}

/// Carries the bits of a digit beyond 32 to the next digit. The last digit keeps the sign.
void exact_accumulator::carry() noexcept {
  for (int d = 0; d + 1 < num_digits; ++d) {
    words_[d + 1] += words_[d] >> 32;
    words_[d] &= static_cast<std::int64_t>(digit_mask);
  }
  additions_left_ = most_additions;
}

void exact_accumulator::add_special(double value) noexcept {
  ++words_[std::isnan(value) ? no_number : value > 0 ? infinite : negative_infinite];
}

bool exact_accumulator::is_special() const noexcept {
  return words_[no_number] != 0 || words_[infinite] != 0 || words_[negative_infinite] != 0;
}

double exact_accumulator::special_value() const noexcept {
  bool const is_up = words_[infinite] != 0, is_down = words_[negative_infinite] != 0;
  if (words_[no_number] != 0 || (is_up && is_down))
    return std::numeric_limits<double>::quiet_NaN();
  double const infinity = std::numeric_limits<double>::infinity();
  return is_up ? infinity : -infinity;
}

/// Carries, and negates a negative sum. True if the sum was negative.
bool exact_accumulator::make_positive() noexcept {
  carry();
  bool const is_negative = words_[num_digits - 1] < 0;
  for (int d = 0; is_negative && d < num_digits; ++d)
    words_[d] = -words_[d];
  carry();
  return is_negative;
}

/// The nearest number that is a multiple of 2^least_exponent and has at most 53 bits.
exact_accumulator::rounded exact_accumulator::round(int least_exponent) const noexcept {
  exact_accumulator positive = *this;
  bool const is_negative = positive.make_positive();
  auto const digit = [&](int d) {
    return d < 0 ? 0 : static_cast<std::uint64_t>(positive.words_[d]);
  };
  int top = num_digits - 1;
  while (top >= 0 && digit(top) == 0)
    --top;
  if (top < 0)
    return {0, 0};
  // The three highest digits, and whether a digit below them is not zero.
  wide const high = wide{digit(top)} << 64 | digit(top - 1) << 32 | digit(top - 2);
  bool rest = false;
  for (int d = top - 3; d >= 0; --d)
    rest = rest || digit(d) != 0;
  int const unit = 32 * (top - 2) + lowest_exponent;
  int const num_bits = 64 + std::bit_width(digit(top));
  int const dropped = std::max(num_bits - 53, least_exponent - unit);
  if (dropped > num_bits + 1)
    return {0, 0};
  wide const half = wide{1} << (dropped - 1), below = high & (2 * half - 1);
  auto kept = static_cast<std::uint64_t>(high >> dropped);
  bool const is_odd = (kept & 1) != 0;
  if (below > half || (below == half && (rest || is_odd)))
    ++kept;
  auto const mantissa = static_cast<double>(kept);
  return {is_negative ? -mantissa : mantissa, unit + dropped};
}

double exact_accumulator::value() const noexcept {
  if (is_special())
    return special_value();
  constexpr int exponent_of_least = -1074;
  rounded const sum = round(exponent_of_least);
  return std::ldexp(sum.mantissa, sum.exponent);
}

double exact_accumulator::root() const noexcept {
  if (is_special())
    return std::sqrt(special_value());
  rounded sum = round(lowest_exponent);
  if (sum.exponent % 2 != 0) {
    sum.mantissa *= 2;
    --sum.exponent;
  }
  return std::ldexp(std::sqrt(sum.mantissa), sum.exponent / 2);
}

} // namespace seam::detail
