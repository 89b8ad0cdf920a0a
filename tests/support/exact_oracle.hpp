/// Exact sums by methods that seam does not use: integers of 128 bits, and expansions of doubles.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace seam::testing {

__extension__ typedef __int128 int128;

/// value / 2^bits, rounded to the nearest double by the compiler's conversion.
inline double scaled(int128 value, int bits) {
  return std::ldexp(static_cast<double>(value), -bits);
}

/// The sum, rounded once, by Shewchuk's expansions: numbers whose bits do not overlap. For finite
/// values whose sums do not overflow.
inline double expansion_sum(std::vector<double> const& values) {
  std::vector<double> terms; // ascending
  for (double x : values) {
    std::size_t kept = 0;
    for (double y : terms) {
      if (std::abs(x) < std::abs(y))
        std::swap(x, y);
      double const high = x + y, low = y - (high - x);
      if (low != 0)
        terms[kept++] = low;
      x = high;
    }
    terms.resize(kept);
    terms.push_back(x);
  }
  double sum = 0, low = 0;
  while (!terms.empty() && low == 0) {
    double const before = sum, term = terms.back();
    terms.pop_back();
    sum = before + term;
    low = term - (sum - before);
  }
  // A tie, which the remaining terms decide.
  if (!terms.empty() && low != 0 && (low < 0) == (terms.back() < 0)) {
    double const twice = 2 * low, moved = sum + twice;
    if (twice == moved - sum)
      sum = moved;
  }
  return sum;
}

/// Values of very different sizes, many of which cancel others. The same seed gives the same
/// values.
inline std::vector<double> cancelling_values(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1), exponent(-300, 300);
  std::vector<double> values;
  while (values.size() < count) {
    values.push_back(std::ldexp(number(random), static_cast<int>(exponent(random))));
    if (random() % 3 != 0)
      values.push_back(-values[random() % values.size()]);
  }
  values.resize(count);
  return values;
}

} // namespace seam::testing
