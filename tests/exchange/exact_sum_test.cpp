// Exact sums: the same bits in whatever order and on however many ranks the values lie.
#include <seam/exchange/exact_sum.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace seam;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The values dealt to the ranks one by one.
double sum_of(std::vector<double> const& values) {
  Communicator const all = testing::world();
  std::vector<double> own;
  for (std::size_t k = std::size_t(all.rank()); k < values.size(); k += std::size_t(all.size()))
    own.push_back(values[k]);
  return exact_sum(all, own);
}

/// The same by this rank alone.
double sum_alone(std::vector<double> const& values) { return exact_sum(MPI_COMM_SELF, values); }

} // namespace

TEST_CASE("a sum depends neither on the order nor on the ranks") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1), exponent(-40, 40);
    std::vector<double> values;
    for (std::size_t k = 0; k < 100 * (1 + seed); ++k)
      values.push_back(std::ldexp(number(random), int(exponent(random))));
    double const expected = sum_alone(values);
    CHECK(sum_of(values) == expected);
    std::ranges::shuffle(values, random);
    CHECK(sum_of(values) == expected);
    std::ranges::reverse(values);
    CHECK(sum_alone(values) == expected);
  }
}

TEST_CASE("what cancels leaves what is small") {
  CHECK(sum_of({1e20, 1, -1e20}) == 1);
  CHECK(sum_of({1, 1e16, 3, -1e16, -3}) == 1);
  CHECK(sum_of({0x1p100, 1, -0x1p100, 0x1p-10}) == 1 + 0x1p-10);
  std::vector<double> values(1000, 0.1);
  values.resize(2000, -0.1);
  CHECK(sum_of(values) == 0);
}

TEST_CASE("integers are added exactly") {
  std::vector<double> values(1001);
  std::iota(values.begin(), values.end(), 0x1p52);
  CHECK(sum_of(values) == 1001 * 0x1p52 + 500 * 1001);
}

TEST_CASE("values of any size have a sum") {
  constexpr double most = std::numeric_limits<double>::max();
  constexpr double least = std::numeric_limits<double>::denorm_min();
  CHECK(sum_of({most, -most, most}) == most);
  CHECK(sum_of({most, most}) == infinity);
  CHECK(sum_of({least, least, least}) == 3 * least);
  CHECK(sum_of({least, -least}) == 0);
  CHECK(sum_of({}) == 0);
  CHECK(sum_of({0, -0.0, 0}) == 0);
  CHECK(sum_of({most}) == most);
}

TEST_CASE("a value that is not finite makes the sum what adding does") {
  double const none = std::nan("");
  CHECK(sum_of({1, infinity, 2}) == infinity);
  CHECK(sum_of({1, -infinity, 2, -infinity}) == -infinity);
  CHECK(std::isnan(sum_of({infinity, 1, -infinity})));
  CHECK(std::isnan(sum_of({1, none, 2})));
}
