// Namings as pure functions, checked over all small grids, orders and periodicities.
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/cartesian_naming.hpp>

#include <support/catch.hpp>
#include <support/mapping_problem.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

std::vector<dimension_order> all_dimension_orders(int num_dimensions) {
  std::vector<dimension_order> orders{dimension_order::row_major(),
                                      dimension_order::column_major()};
  vec permutation(num_dimensions);
  std::iota(permutation.begin(), permutation.end(), 0);
  do
    orders.push_back(dimension_order::permutation(permutation));
  while (std::ranges::next_permutation(permutation).found);
  return orders;
}

/// Small grids in all orders and periodicities, with fewer, as many and more processes than points.
std::vector<CartesianNaming> all_namings() {
  std::vector<CartesianNaming> all;
  for (vec const& order : std::vector<vec>{{}, {1}, {2}, {5}, {2, 3}, {4, 1}, {3, 1, 2}, {2, 3, 2}})
    for (auto const& periodic : all_flags(order.size()))
      for (auto const& dimorder : all_dimension_orders(static_cast<int>(order.size()))) {
        int const size = std::accumulate(order.begin(), order.end(), 1, std::multiplies());
        for (int processes : {size - 2, size, size + 3})
          if (processes > 0)
            all.emplace_back(processes, order, periodic, dimorder);
      }
  return all;
}

/// All vectors with entries from `low` to `high`, in lexicographic order.
std::vector<vec> all_vectors(std::size_t length, int low, int high) {
  std::vector<vec> all{{}};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<vec> longer;
    for (auto const& begun : all)
      for (int x = low; x <= high; ++x) {
        longer.push_back(begun);
        longer.back().push_back(x);
      }
    all = longer;
  }
  return all;
}

bool is_inside(CartesianNaming const& naming, vec const& point) {
  for (int i = 0; i < std::ssize(point); ++i)
    if (point[i] < 0 || point[i] >= naming.order()[i])
      return false;
  return true;
}

/// True if steps round the periodic dimensions lead from one vector to the other.
bool is_same_point(CartesianNaming const& naming, vec const& a, vec const& b) {
  for (int i = 0; i < std::ssize(a); ++i)
    if (naming.periodic()[i] ? (a[i] - b[i]) % naming.order()[i] != 0 : a[i] != b[i])
      return false;
  return true;
}

vec sum(vec a, vec const& b, int sign = 1) {
  for (int i = 0; i < std::ssize(a); ++i)
    a[i] += sign * b[i];
  return a;
}

std::string line_of(auto&& call) {
  try {
    call();
  } catch (usage_error const& refused) {
    return refused.what();
  }
  return {};
}

} // namespace

TEST_CASE("ranks and coordinates are one to one in every order") {
  for (auto const& naming : all_namings()) {
    INFO(to_string(naming));
    std::set<vec> points;
    for (int rank = 0; rank < naming.num_processes(); ++rank) {
      auto const point = naming.coordinates(rank);
      if (!naming.is_named(rank)) {
        REQUIRE(rank >= naming.size());
        REQUIRE(point == vec(point.size(), MPI_PROC_NULL));
        continue;
      }
      REQUIRE(rank < naming.size());
      REQUIRE(is_inside(naming, point));
      REQUIRE(naming.rank(point) == rank);
      points.insert(point);
    }
    REQUIRE(std::ssize(points) == std::min<std::int64_t>(naming.size(), naming.num_processes()));
  }
}

TEST_CASE("points without a process give MPI_PROC_NULL") {
  CartesianNaming const naming(4, {2, 3}, {true, true});
  CHECK(naming.size() == 6);
  CHECK(naming.rank(vec{1, 0}) == 3);
  CHECK(naming.rank(vec{1, 1}) == MPI_PROC_NULL);
  CHECK(naming.rank(vec{1, 2}) == MPI_PROC_NULL);
  CHECK(naming.relative_rank(3, vec{0, 1}) == MPI_PROC_NULL);
}

TEST_CASE("the dimension order says which coordinate changes fastest") {
  CartesianNaming const rows(6, {2, 3}, {false, false});
  CartesianNaming const columns(6, {2, 3}, {false, false}, dimension_order::column_major());
  CHECK(rows.coordinates(1) == vec{0, 1});
  CHECK(columns.coordinates(1) == vec{1, 0});
  CartesianNaming const mixed(24, {2, 3, 4}, {false, false, false},
                              dimension_order::permutation({1, 2, 0}));
  CHECK(mixed.coordinates(1) == vec{1, 0, 0});
  CHECK(mixed.coordinates(2) == vec{0, 0, 1});
  CHECK(mixed.coordinates(8) == vec{0, 1, 0});
}

TEST_CASE("row-major and column-major are the permutations that they stand for") {
  vec const order{2, 3, 4};
  std::vector<bool> const periodic{true, false, true};
  CartesianNaming const rows(24, order, periodic);
  CartesianNaming const columns(24, order, periodic, dimension_order::column_major());
  CHECK(rows == CartesianNaming(24, order, periodic, dimension_order::permutation({0, 1, 2})));
  CHECK(columns == CartesianNaming(24, order, periodic, dimension_order::permutation({2, 1, 0})));
  CHECK(!(rows == columns));
  CartesianNaming const reversed(24, {4, 3, 2}, {true, false, true});
  for (int rank = 0; rank < 24; ++rank) {
    auto point = columns.coordinates(rank);
    std::ranges::reverse(point);
    CHECK(reversed.coordinates(rank) == point);
  }
}

TEST_CASE("coordinates wrap along periodic dimensions and end at the others") {
  for (auto const& naming : all_namings())
    for (auto const& point : all_vectors(naming.order().size(), -7, 7)) {
      vec inside = point;
      for (int i = 0; i < std::ssize(point); ++i)
        while (naming.periodic()[i] && (inside[i] < 0 || inside[i] >= naming.order()[i]))
          inside[i] += inside[i] < 0 ? naming.order()[i] : -naming.order()[i];
      REQUIRE_IN_LOOP(naming.rank(point) ==
                      (is_inside(naming, inside) ? naming.rank(inside) : MPI_PROC_NULL));
    }
}

TEST_CASE("a relative rank is the rank at the sum of the vectors") {
  for (auto const& naming : all_namings())
    for (int source = 0; source < naming.num_processes(); ++source)
      for (auto const& relative : all_vectors(naming.order().size(), -3, 3)) {
        auto const from = naming.coordinates(source);
        bool const named = naming.is_named(source);
        auto const [in, out] = naming.relative_shift(source, relative);
        REQUIRE_IN_LOOP(out == (named ? naming.rank(sum(from, relative)) : MPI_PROC_NULL));
        REQUIRE_IN_LOOP(in == (named ? naming.rank(sum(from, relative, -1)) : MPI_PROC_NULL));
        REQUIRE_IN_LOOP(naming.relative_rank(source, relative) == out);
        if (out != MPI_PROC_NULL)
          REQUIRE_IN_LOOP(naming.relative_shift(out, relative).in == source);
      }
}

TEST_CASE("relative coordinates lead from source to destination by the shortest way") {
  for (auto const& naming : all_namings())
    for (int source = 0; source < naming.num_processes(); ++source)
      for (int dest = 0; dest < naming.num_processes(); ++dest) {
        auto const relative = naming.relative_coordinates(source, dest);
        if (!naming.is_named(source) || !naming.is_named(dest)) {
          REQUIRE(relative == vec(relative.size(), MPI_PROC_NULL));
          continue;
        }
        REQUIRE(naming.relative_rank(source, relative) == dest);
        REQUIRE(naming.normalized(relative) == relative);
      }
}

TEST_CASE("a normalized vector is the shortest to its point, and half way round counts up") {
  for (auto const& naming : all_namings())
    for (auto const& relative : all_vectors(naming.order().size(), -6, 6)) {
      auto const normal = naming.normalized(relative);
      REQUIRE_IN_LOOP(is_same_point(naming, normal, relative));
      for (int i = 0; i < std::ssize(normal); ++i)
        if (naming.periodic()[i]) {
          REQUIRE_IN_LOOP(2 * normal[i] <= naming.order()[i]);
          REQUIRE_IN_LOOP(2 * normal[i] > -naming.order()[i]);
        }
    }
}

TEST_CASE("lists of points give the ranks of their points") {
  for (auto const& naming : all_namings()) {
    vec flat, ranks, relative_ranks;
    for (auto const& point : all_vectors(naming.order().size(), -2, 2)) {
      if (point.empty())
        break;
      flat.insert(flat.end(), point.begin(), point.end());
      ranks.push_back(naming.rank(point));
      relative_ranks.push_back(naming.relative_rank(0, point));
    }
    REQUIRE(naming.allranks(flat) == ranks);
    REQUIRE(naming.allranks_relative(0, flat) == relative_ranks);
  }
}

TEST_CASE("no process stays no process") {
  CartesianNaming const naming(6, {2, 3}, {true, true});
  CHECK(!naming.is_named(MPI_PROC_NULL));
  CHECK(naming.coordinates(MPI_PROC_NULL) == vec{MPI_PROC_NULL, MPI_PROC_NULL});
  CHECK(naming.relative_rank(MPI_PROC_NULL, vec{0, 1}) == MPI_PROC_NULL);
  CHECK(naming.relative_shift(MPI_PROC_NULL, vec{0, 1}) ==
        shift_ranks{MPI_PROC_NULL, MPI_PROC_NULL});
  CHECK(naming.allranks_relative(MPI_PROC_NULL, vec{0, 1, 1, 0}) ==
        vec{MPI_PROC_NULL, MPI_PROC_NULL});
}

TEST_CASE("the farthest vectors are still exact") {
  CartesianNaming const naming(INT_MAX, {INT_MAX, 1 << 20, 3}, {true, true, false},
                               dimension_order::column_major());
  CHECK(naming.size() == std::int64_t{INT_MAX} * (1 << 20) * 3);
  CHECK(naming.coordinates(INT_MAX - 1) == vec{INT_MAX - 1, 0, 0});
  CHECK(naming.relative_rank(INT_MAX - 1, vec{INT_MAX, 0, 0}) == INT_MAX - 1);
  CHECK(naming.relative_rank(INT_MAX - 1, vec{INT_MIN, INT_MIN, 0}) == INT_MAX - 2);
  CHECK(naming.relative_shift(5, vec{INT_MIN, 0, 0}) == shift_ranks{6, 4});
  CHECK(naming.relative_rank(5, vec{0, 0, INT_MIN}) == MPI_PROC_NULL);
  CHECK(naming.relative_rank(0, vec{0, 1, 0}) == MPI_PROC_NULL);
}

TEST_CASE("processes of one sub-grid share their excluded coordinates and the lowest rank") {
  for (auto const& naming : all_namings())
    for (auto const& excluded : all_flags(naming.order().size()))
      for (int rank = 0; rank < naming.num_processes(); ++rank) {
        int lowest = MPI_PROC_NULL;
        for (int other = naming.num_processes() - 1; other >= 0 && naming.is_named(rank); --other) {
          bool same = naming.is_named(other);
          for (std::size_t i = 0; i < excluded.size() && same; ++i)
            same = !excluded[i] || naming.coordinates(rank)[i] == naming.coordinates(other)[i];
          if (same)
            lowest = other;
        }
        REQUIRE(naming.lowest_in_sub(rank, excluded) == lowest);
      }
}

TEST_CASE("wrong arguments are refused with what was expected") {
  CartesianNaming const naming(6, {2, 3}, {true, true});
  CHECK(line_of([&] { naming.coordinates(6); }).find("rank 6 (expected 0 to 5)") !=
        std::string::npos);
  CHECK(line_of([&] { naming.rank(vec{1}); }).find("1 coordinates for 2 x 3 points (expected 2)") !=
        std::string::npos);
  CHECK_THROWS_AS(naming.coordinates(-17), usage_error); // -1 is MPI_PROC_NULL of MPICH
  CHECK_THROWS_AS(naming.relative_rank(7, vec{0, 0}), usage_error);
  CHECK_THROWS_AS(naming.relative_rank(0, vec{0, 0, 0}), usage_error);
  CHECK_THROWS_AS(naming.relative_coordinates(0, 6), usage_error);
  CHECK_THROWS_AS(naming.relative_shift(0, vec{}), usage_error);
  CHECK_THROWS_AS(naming.allranks(vec{0, 0, 0}), usage_error);
  CHECK_THROWS_AS(naming.allranks_relative(6, vec{}), usage_error);
  CHECK_THROWS_AS(naming.normalized(vec{1}), usage_error);
  CHECK_THROWS_AS(naming.lowest_in_sub(0, {true}), usage_error);
  CHECK_THROWS_AS(naming.sub_naming({true}, 2), usage_error);
}

TEST_CASE("grids that cannot be are refused") {
  CHECK_THROWS_AS(CartesianNaming(0, {2}, {true}), usage_error);
  CHECK_THROWS_AS(CartesianNaming(2, {2, 0}, {true, true}), usage_error);
  CHECK_THROWS_AS(CartesianNaming(2, {2, -1}, {true, true}), usage_error);
  CHECK_THROWS_AS(CartesianNaming(2, {2, 1}, {true}), usage_error);
  CHECK_THROWS_AS(CartesianNaming(2, {INT_MAX, INT_MAX, INT_MAX}, {true, true, true}), usage_error);
  CHECK_THROWS_AS(dimension_order::permutation({0, 2}), usage_error);
  CHECK_THROWS_AS(dimension_order::permutation({1, 1}), usage_error);
  CHECK_THROWS_AS(CartesianNaming(2, {2}, {true}, dimension_order::permutation({1, 0})),
                  usage_error);
}
