// Generated neighborhoods against their definition: every vector of the cube is measured.
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/neighborhood.hpp>

#include <support/catch.hpp>
#include <support/mapping_problem.hpp>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

int distance_of(vec const& offset, metric how) {
  int sum = 0, largest = 0;
  for (int const x : offset) {
    sum += std::abs(x);
    largest = std::max(largest, std::abs(x));
  }
  return how == metric::manhattan ? sum : largest;
}

/// The number's digits in base `base`, the first one the most significant.
vec digits(int number, int base, int length) {
  vec result(length);
  for (auto digit = result.rbegin(); digit != result.rend(); ++digit, number /= base)
    *digit = number % base;
  return result;
}

std::vector<vec> by_definition(metric how, int shadow, int depth, int d) {
  int const base = 2 * depth + 1;
  int cube = 1;
  for (int i = 0; i < d; ++i)
    cube *= base;
  std::vector<vec> all;
  for (int number = 0; number < cube; ++number) {
    auto offset = digits(number, base, d);
    for (int& x : offset)
      x -= depth;
    if (int const distance = distance_of(offset, how); distance >= shadow && distance <= depth)
      all.push_back(offset);
  }
  return all;
}

struct options {
  int cells = 1;
  seam::neighborhood neighborhood = von_neumann(1);
};

} // namespace

TEST_CASE("generated offsets are those between shadow and depth, in lexicographic order") {
  for (auto const how : {metric::manhattan, metric::chebyshev})
    for (int d = 0; d <= 4; ++d)
      for (int depth = 0; depth <= 3; ++depth)
        for (int shadow = 0; shadow <= depth; ++shadow) {
          auto const list = metric_neighborhood(how, shadow, depth).expand(d);
          auto const found = offsets_of(list);
          INFO(d << " dimensions, distances " << shadow << " to " << depth);
          REQUIRE(found == by_definition(how, shadow, depth, d));
          REQUIRE(std::ranges::is_sorted(found));
          REQUIRE(std::ssize(list.weights()) == list.size());
          REQUIRE(std::ranges::count(list.weights(), 1) == std::ssize(list.weights()));
        }
}

TEST_CASE("the classical stencils have their number of points") {
  CHECK(von_neumann(1).expand(2).size() == 4);
  CHECK(von_neumann(1).expand(3).size() == 6);
  CHECK(von_neumann(2).expand(2).size() == 12);
  CHECK(metric_neighborhood(metric::manhattan, 0, 2).expand(2).size() == 13);
  CHECK(moore(1).expand(2).size() == 8);
  CHECK(metric_neighborhood(metric::chebyshev, 0, 1).expand(2).size() == 9);
  CHECK(metric_neighborhood(metric::chebyshev, 0, 1).expand(3).size() == 27);
  CHECK(moore(2).expand(3).size() == 124);
  CHECK(von_neumann(2).expand(6).size() == 84);
}

TEST_CASE("explicit offsets keep their order, their weights and their repetitions") {
  auto const list = offsets({{0, 1}, {-1, 0}, {0, 1}, {0, 0}}, {3, 1, 4, 1}).expand(2);
  CHECK(offsets_of(list) == std::vector<vec>{{0, 1}, {-1, 0}, {0, 1}, {0, 0}});
  CHECK(vec(list.weights().begin(), list.weights().end()) == vec{3, 1, 4, 1});
  CHECK(vec(list.flat().begin(), list.flat().end()) == vec{0, 1, -1, 0, 0, 1, 0, 0});
  CHECK(offsets({{5}, {-2}}).expand(1).weight(1) == 1);
  CHECK(offsets({}).expand(3) == offset_list(3));
}

TEST_CASE("an inverse has the opposite offsets in the same order") {
  auto const list = offsets({{0, 1}, {-1, 2}}, {3, 1}).expand(2);
  CHECK(offsets_of(list.inverse()) == std::vector<vec>{{0, -1}, {1, -2}});
  CHECK(list.inverse().weight(0) == 3);
  CHECK(list.inverse().inverse() == list);
}

TEST_CASE("the radius is the least box around the offsets and the center") {
  CHECK(moore(2).radius(2) == std::vector<reach>{{2, 2}, {2, 2}});
  CHECK(von_neumann(3).radius(1) == std::vector<reach>{{3, 3}});
  CHECK(offsets({{0, 1}, {-3, 2}}).radius(2) == std::vector<reach>{{3, 0}, {0, 2}});
  CHECK(offsets({{2, 2}}).radius(2) == std::vector<reach>{{0, 2}, {0, 2}});
  CHECK(offsets({}).radius(2) == std::vector<reach>{{0, 0}, {0, 0}});
}

TEST_CASE("a neighborhood is a value that options can hold") {
  options const chosen{.neighborhood = moore(1)};
  CHECK(chosen.neighborhood == moore(1));
  CHECK(options{}.neighborhood == von_neumann(1));
  CHECK(!(moore(1) == von_neumann(1)));
}

TEST_CASE("neighborhoods that cannot be are refused") {
  CHECK_THROWS_AS(von_neumann(-1), usage_error);
  CHECK_THROWS_AS(moore(0), usage_error);
  CHECK_THROWS_AS(metric_neighborhood(metric::manhattan, 2, 1), usage_error);
  CHECK_THROWS_AS(metric_neighborhood(metric::manhattan, -1, 1), usage_error);
  CHECK_THROWS_AS(offsets({{0, 1}, {1}}), usage_error);
  CHECK_THROWS_AS(offsets({{0, 1}, {1, 0}}, {1}), usage_error);
  CHECK_THROWS_AS(offsets({{0, 1}}, {0}), usage_error);
  CHECK_THROWS_AS(offsets({{0, INT_MIN}}), usage_error);
  CHECK_THROWS_AS(offsets({{0, 1}}).expand(3), usage_error);
  CHECK_THROWS_AS(moore(1).expand(-1), usage_error);
}

TEST_CASE("a neighborhood too large to count is refused before it is listed") {
  CHECK_THROWS_AS(moore(INT_MAX).expand(1), usage_error);
  CHECK_THROWS_AS(von_neumann(INT_MAX).expand(3), usage_error);
  CHECK_THROWS_AS(moore(50).expand(6), usage_error);
  CHECK_THROWS_WITH(moore(20000).expand(2),
                    Catch::StartsWith("neighborhood: depth 20000 in 2 dimensions: about 1.6e+09 "
                                      "offsets (expected at most 4194304)"));
  CHECK_THROWS_AS(moore(81).expand(3), usage_error);
  CHECK_THROWS_AS(moore(1).expand(1000), usage_error);
  CHECK(moore(10).expand(3).size() == 21 * 21 * 21 - 1);
  CHECK(von_neumann(10).expand(6).size() == 134244);
}

TEST_CASE("a range is the product of its axes, in lexicographic order") {
  CHECK(offsets_of(range({-1, 1}).expand(1)) == std::vector<vec>{{-1}, {0}, {1}});
  CHECK(offsets_of(range({0, 1}, {-1, 0}).expand(2)) ==
        std::vector<vec>{{0, -1}, {0, 0}, {1, -1}, {1, 0}});
  auto const box = offsets_of(range({2, 3}, {0, 0}, {-1, 1}).expand(3));
  REQUIRE(box.size() == 6);
  CHECK(box.front() == vec{2, 0, -1});
  CHECK(box.back() == vec{3, 0, 1});
  CHECK(std::ranges::is_sorted(box));
  CHECK(range({0, 1}, {-1, 0}) == range({0, 1}, {-1, 0}));
}

TEST_CASE("a range that ends before it begins, or is too large, or of other axes, is refused") {
  CHECK_THROWS_WITH(range({0, 0}, {1, 0}),
                    Catch::Contains("neighborhood: a range from 1 to 0 (expected an end that "
                                    "is not before the beginning)"));
  CHECK_THROWS_WITH(range({0, INT_MAX}, {INT_MIN, INT_MAX}),
                    Catch::Contains("offsets (expected at most 4194304)"));
  CHECK_THROWS_WITH(
      range({0, 1}).expand(2),
      Catch::Contains("neighborhood: offsets of 1 numbers for a grid of 2 dimensions"));
}
