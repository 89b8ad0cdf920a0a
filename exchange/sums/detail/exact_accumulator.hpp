/// Exact accumulators: sums of doubles, and of products of two, without rounding. Whatever the
/// order in which values are added and accumulators merged, the sum has the same bits.
///
///     exact_accumulator total;
///     for (double const x : values)
///       total.add(x);
///     total.merge(total_of_others);
///     double const sum = total.value();      // rounded here, once
///
/// An accumulator is a number of 4320 bits that reaches from the square of the least double to
/// above that of the largest:
///
///     digit      0  1  2  ...  134         of 32 bits, in words of 64: carries may wait
///     weight     2^-2148  ...  2^2140
///
/// Source: the small superaccumulator of R. M. Neal, Fast exact summation using small and large
/// superaccumulators, arXiv:1505.05571 (2015); differs in that it takes products, too.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace seam::detail {

/// A sum without rounding errors. A plain value of 1.1 KB.
/// Threads: one at a time.
class exact_accumulator {
public:
  static constexpr int num_words = 138;

  /// Adds a value.
  /// Cost: about five nanoseconds.
  void add(double value) noexcept {
    parts const of(value);
    if (of.is_special)
      return add_special(value);
    add_bits(of.mantissa, of.place, of.is_negative);
    count_addition();
  }

  /// Adds the product of two values without rounding.
  /// Cost: as add().
  void add_product(double a, double b) noexcept;

  /// Adds the sum of another accumulator.
  void merge(exact_accumulator const& other) noexcept;

  /// The sum, rounded to the nearest double, ties to even; 0 if nothing has been added. NaN if NaN
  /// or infinities of both signs have been added; infinite if infinities of one sign have been
  /// added or the sum is beyond the largest double.
  double value() const noexcept;

  /// The square root of a sum that is not negative, even if the sum is beyond the largest double.
  double root() const noexcept;

  /// The sum as integers, which may be added word by word to those of up to 2^31 accumulators.
  std::span<std::int64_t, num_words> words() noexcept {
    carry();
    additions_left_ = 1; // words of other accumulators may be added to them
    return words_;
  }

private:
  __extension__ typedef unsigned __int128 wide;

  static constexpr int num_digits = 135, most_additions = 500;
  static constexpr int lowest_exponent = -2148; ///< of digit 0's unit
  static constexpr std::uint64_t digit_mask = 0xffff'ffff;
  enum special : int { no_number = num_digits, infinite, negative_infinite };

  /// mantissa * 2^(place + lowest_exponent), with a sign; or a value that is not finite.
  struct parts {
    explicit parts(double value) {
      auto const bits = std::bit_cast<std::uint64_t>(value);
      auto const exponent = static_cast<int>(bits >> 52 & 0x7ff);
      std::uint64_t const hidden = exponent == 0 ? 0 : 1;
      mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | hidden << 52;
      place = std::max(exponent, 1) - 1075 - lowest_exponent;
      is_negative = bits >> 63 != 0;
      is_special = exponent == 0x7ff;
    }

    std::uint64_t mantissa;
    int place;
    bool is_negative, is_special;
  };

  /// mantissa * 2^exponent, with at most 53 bits.
  struct rounded {
    double mantissa;
    int exponent;
  };

  /// Adds bits * 2^(place + lowest_exponent), or subtracts it.
  /// @param bits  below 2^53
  void add_bits(std::uint64_t bits, int place, bool is_negative) noexcept {
    int const digit = place / 32;
    int const shift = place % 32;
    auto const low = static_cast<std::int64_t>(bits << shift & digit_mask);
    auto const high = static_cast<std::int64_t>(bits >> (32 - shift));
    words_[digit] += is_negative ? -low : low;
    words_[digit + 1] += is_negative ? -high : high;
  }

  void count_addition() noexcept {
    if (--additions_left_ == 0)
      carry();
  }

  void add_special(double value) noexcept;
  void carry() noexcept;
  bool make_positive() noexcept;
  bool is_special() const noexcept;
  double special_value() const noexcept;
  rounded round(int least_exponent) const noexcept;

  std::array<std::int64_t, num_words> words_{}; ///< digits, then numbers of special values
  int additions_left_ = most_additions;         ///< until digits have to be carried
};

} // namespace seam::detail
