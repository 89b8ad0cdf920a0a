// Exact accumulators against integers of 128 bits and against expansions of doubles.
#include <seam/exchange/sums/detail/exact_accumulator.hpp>

#include <support/catch.hpp>
#include <support/exact_oracle.hpp>

#include <algorithm>
#include <limits>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double most = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

double sum_of(std::vector<double> const& values) {
  exact_accumulator all;
  for (double const value : values)
    all.add(value);
  return all.value();
}

double norm_of(std::vector<double> const& values) {
  exact_accumulator squares;
  for (double const value : values)
    squares.add_product(value, value);
  return squares.root();
}

} // namespace

TEST_CASE("a sum is the exact one, rounded once, in any order") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    auto values = cancelling_values(seed, 30 + 50 * seed);
    double const expected = expansion_sum(values);
    REQUIRE(sum_of(values) == expected);
    std::ranges::shuffle(values, std::mt19937(seed));
    REQUIRE(sum_of(values) == expected);
  }
}

TEST_CASE("sums of multiples of a power of two are those of the integers") {
  std::mt19937_64 random(7);
  for (int bits : {0, 40, 900, 1074}) {
    int128 expected = 0;
    exact_accumulator all;
    for (int k = 0; k < 3000; ++k) {
      auto const integer = static_cast<std::int64_t>(random()) >> (11 + random() % 40);
      expected += integer;
      all.add(std::ldexp(static_cast<double>(integer), -bits));
    }
    CHECK(all.value() == scaled(expected, bits));
  }
}

TEST_CASE("sums of products are exact, too") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    auto const some = [&] { return static_cast<std::int64_t>(random()) >> (11 + random() % 30); };
    int128 expected = 0;
    exact_accumulator all;
    for (int k = 0; k < 2500; ++k) {
      auto const a = some(), b = some();
      expected += int128{a} * b;
      all.add_product(std::ldexp(double(a), -20), std::ldexp(double(b), -400));
      if (k % 3 == 0) { // values that cancel all but a little
        expected -= int128{a} * b - 1;
        all.add_product(std::ldexp(double(-a), -20), std::ldexp(double(b), -400));
        all.add_product(std::ldexp(1.0, -20), std::ldexp(1.0, -400));
      }
    }
    REQUIRE(all.value() == scaled(expected, 420));
  }
}

TEST_CASE("merged accumulators hold the sum of both, also word by word") {
  auto const values = cancelling_values(3, 5000);
  double const expected = expansion_sum(values);
  std::vector<exact_accumulator> parts(7);
  for (std::size_t k = 0; k < values.size(); ++k)
    parts[k * k % 7].add(values[k]);
  exact_accumulator merged, by_words;
  for (exact_accumulator& part : parts) {
    merged.merge(part);
    auto const from = part.words(), into = by_words.words();
    for (std::size_t w = 0; w < from.size(); ++w)
      into[w] += from[w];
  }
  CHECK(merged.value() == expected);
  CHECK(by_words.value() == expected);
}

TEST_CASE("large terms that cancel leave the small ones") {
  CHECK(sum_of({1e20, 1, -1e20}) == 1);
  CHECK(sum_of({most, least, -most}) == least);
  CHECK(sum_of({0x1p100, 1, -0x1p100, 0x1p-10}) == 1 + 0x1p-10);
  CHECK(sum_of({-1e300, 1e-300, 1e300}) == 1e-300);
}

TEST_CASE("of two doubles that are as near the even one is taken, unless a bit below decides") {
  CHECK(sum_of({0x1p53, 1}) == 0x1p53);
  CHECK(sum_of({0x1p53, 3}) == 0x1p53 + 4);
  CHECK(sum_of({0x1p53, 1, least}) == 0x1p53 + 2);
  CHECK(sum_of({0x1p53, 1, -least}) == 0x1p53);
  CHECK(sum_of({-0x1p53, -1, -least}) == -0x1p53 - 2);
  exact_accumulator tiny; // 2^-1075: half of the least double, then a little more
  tiny.add_product(0x1p-1000, 0x1p-75);
  CHECK(tiny.value() == 0);
  tiny.add_product(least, least);
  CHECK(tiny.value() == least);
}

TEST_CASE("values of any size have a sum") {
  CHECK(sum_of({most, -most, most}) == most);
  CHECK(sum_of({most, most}) == infinity);
  CHECK(sum_of({-most, -most}) == -infinity);
  CHECK(sum_of({least, least, least}) == 3 * least);
  CHECK(sum_of({}) == 0);
  CHECK_FALSE(std::signbit(sum_of({-0.0, -0.0})));
}

TEST_CASE("norms neither overflow nor vanish before they have to") {
  for (int exponent : {-1074, -900, -500, 0, 1, 500, 1000})
    CHECK(norm_of({std::ldexp(3, exponent), std::ldexp(-4, exponent)}) == std::ldexp(5, exponent));
  CHECK(norm_of({most, most}) == infinity);
  CHECK(norm_of({}) == 0);
}

TEST_CASE("sums of values that are not finite are those of plain additions") {
  double const none = std::nan("");
  CHECK(sum_of({1, infinity, 2}) == infinity);
  CHECK(sum_of({1, -infinity, 2, -infinity}) == -infinity);
  CHECK(std::isnan(sum_of({infinity, 1, -infinity})));
  CHECK(std::isnan(sum_of({1, none, 2})));
  CHECK(norm_of({1, -infinity}) == infinity);
  exact_accumulator zero_times_infinity;
  zero_times_infinity.add_product(0, infinity);
  CHECK(std::isnan(zero_times_infinity.value()));
}
