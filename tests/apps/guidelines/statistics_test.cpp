// Medians, fences and rank sums against R's values, against all divisions of small samples, and by
// their properties.
#include "statistics/quantile.hpp"
#include "statistics/rank_sum.hpp"

#include <support/catch.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>

using namespace guidelines;

namespace {

std::vector<double> numbers_in(std::string const& text) {
  std::istringstream stream(text);
  std::vector<double> numbers;
  for (double number = 0; stream >> number;)
    numbers.push_back(number);
  return numbers;
}

void require_close(double found, double expected) {
  INFO("expected " << expected << ", found " << found);
  REQUIRE(std::abs(found - expected) <= 1e-12 * std::abs(expected));
}

/// The share of all choices of as many values as `a` has whose rank sum is at least that of `a`.
double p_by_counting(std::vector<double> const& a, std::vector<double> const& b) {
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  auto const rank = [&](double value) { return std::ranges::find(all, value) - all.begin(); };
  auto const found = std::accumulate(a.begin(), a.end(), std::ptrdiff_t{0},
                                     [&](auto sum, double value) { return sum + rank(value); });
  std::vector<bool> chosen(all.size());
  std::fill_n(chosen.rbegin(), a.size(), true); // the lexicographically first permutation
  int choices = 0, larger = 0;
  do {
    std::ptrdiff_t sum = 0;
    for (std::size_t k = 0; k < all.size(); ++k)
      sum += chosen[k] ? static_cast<std::ptrdiff_t>(k) : 0;
    ++choices;
    larger += sum >= found ? 1 : 0;
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return static_cast<double>(larger) / choices;
}

std::vector<double> random_values(std::size_t number, std::mt19937& random) {
  std::normal_distribution<> values;
  std::vector<double> made(number);
  std::ranges::generate(made, [&] { return values(random); });
  return made;
}

} // namespace

TEST_CASE("probabilities and quantiles are those of R") {
  std::ifstream file(STATISTICS_REFERENCE);
  int tests = 0, quantiles = 0;
  for (std::string line; std::getline(file, line);) {
    INFO(line.substr(0, 300));
    std::istringstream fields(line);
    std::string method, first, second, result;
    std::getline(fields, method, ';');
    std::getline(fields, first, ';');
    std::getline(fields, second, ';');
    std::getline(fields, result);
    auto const a = numbers_in(first), b = numbers_in(second);
    double const expected = std::stod(result);
    if (method == "quantile") {
      require_close(quantile(a, b[0]), expected);
      ++quantiles;
    } else {
      auto const how = method == "exact"    ? rank_sum_method::exact
                       : method == "normal" ? rank_sum_method::normal
                                            : rank_sum_method::automatic;
      require_close(rank_sum_p(a, b, how), expected);
      ++tests;
    }
  }
  CHECK(tests > 150);
  CHECK(quantiles > 40);
}

TEST_CASE("exact probabilities are shares of all divisions") {
  std::mt19937 random(7);
  for (std::size_t num_a = 1; num_a <= 5; ++num_a)
    for (std::size_t num_b = 1; num_b <= 6; ++num_b)
      for (int trial = 0; trial < 4; ++trial) {
        auto const a = random_values(num_a, random), b = random_values(num_b, random);
        INFO(num_a << " and " << num_b << " values, trial " << trial);
        require_close(rank_sum_p(a, b), p_by_counting(a, b));
      }
}

TEST_CASE("only the order of values matters, and one side at least is likely") {
  std::mt19937 random(11);
  for (std::size_t length : {3, 10, 60}) {
    auto a = random_values(length, random), b = random_values(length, random);
    double const p = rank_sum_p(a, b), opposite = rank_sum_p(b, a);
    CHECK(p + opposite > 1);
    CHECK(p + opposite < 2);
    for (auto* const sample : {&a, &b})
      std::ranges::for_each(*sample, [](double& value) { value = std::exp(value) * 7; });
    CHECK(rank_sum_p(a, b) == p);
    std::ranges::shuffle(a, random);
    CHECK(rank_sum_p(a, b) == p);
  }
}

TEST_CASE("equal values leave no shift") {
  CHECK(rank_sum_p({1, 1, 1}, {1, 1, 1, 1}) == 1);
  CHECK(rank_sum_p({1}, {1}) == 1);
  CHECK(rank_sum_p({2, 2, 3}, {2, 2, 3}) > 0.5);
}

TEST_CASE("the least probability is that of samples that do not overlap") {
  for (int runs = 1; runs <= 20; ++runs) {
    std::vector<double> low(static_cast<std::size_t>(runs)), high(low.size());
    std::iota(low.begin(), low.end(), 0);
    std::iota(high.begin(), high.end(), 1000);
    require_close(rank_sum_p(high, low), least_p(runs, runs));
  }
  CHECK(least_p(6, 6) > 0.001);
  CHECK(least_p(7, 7) <= 0.001);
}

TEST_CASE("values beyond the fences are left out, and no others") {
  std::vector<double> const values{5, 1, 2, 3, 4, 6, 7, 8, 9, 100, -90};
  CHECK(without_outliers(values) == std::vector<double>{5, 1, 2, 3, 4, 6, 7, 8, 9});
  // Quartiles 1 and 3: the fences are -2 and 6, and belong to what is kept.
  CHECK(without_outliers({0, 1, 2, 3, 4}) == std::vector<double>{0, 1, 2, 3, 4});
  CHECK(without_outliers({1, 1, 1, 3, 3, 3, 6}).size() == 7);
  CHECK(without_outliers({1, 1, 1, 1, 1, 1, 2}) == std::vector<double>(6, 1.0));
  CHECK(without_outliers({4}) == std::vector<double>{4});
  CHECK(without_outliers({}).empty());
  std::mt19937 random(3);
  for (std::size_t length = 1; length <= 60; ++length)
    CHECK_FALSE(without_outliers(random_values(length, random)).empty());
}

TEST_CASE("medians are in the middle") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
  CHECK(median({8}) == 8);
}
