// Factorizations against brute force: all of them are listed, and the best is looked for.
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/dims.hpp>

#include <support/catch.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

using factors = std::vector<int>;

/// Calls `visit` with every way to write `number` as an ordered product of `count` factors.
void for_each_factorization(int number, std::size_t count,
                            std::function<void(factors const&)> const& visit, factors begun = {}) {
  if (begun.size() == count) {
    if (number == 1)
      visit(begun);
    return;
  }
  for (int f = 1; f <= number; ++f)
    if (number % f == 0) {
      begun.push_back(f);
      for_each_factorization(number / f, count, visit, begun);
      begun.pop_back();
    }
}

int spread(factors const& f) { return std::ranges::max(f) - std::ranges::min(f); }

int product(factors const& f) { return std::accumulate(f.begin(), f.end(), 1, std::multiplies()); }

bool is_non_increasing(factors const& f) { return std::ranges::is_sorted(f, std::greater()); }

/// The free ones among `dims`.
factors free_of(factors const& dims, factors const& fixed) {
  factors free;
  for (int i = 0; i < std::ssize(dims); ++i)
    if (fixed[i] == 0)
      free.push_back(dims[i]);
  return free;
}

factors sorted_down(factors f) {
  std::ranges::sort(f, std::greater());
  return f;
}

factors most_even_by_brute_force(int number, std::size_t count) {
  factors best;
  for_each_factorization(number, count, [&](factors const& f) {
    if (!is_non_increasing(f))
      return;
    if (best.empty() || spread(f) < spread(best) || (spread(f) == spread(best) && f < best))
      best = f;
  });
  return best;
}

bool is_feasible(factors const& counts, cell_grid const& grid) {
  for (int a = 0; a < std::ssize(counts); ++a)
    if (grid.cells[a] / counts[a] < std::max(1, grid.widths[a]) ||
        (grid.processes[a] != 0 && grid.processes[a] != counts[a]))
      return false;
  return true;
}

/// Cells that the largest block has on its faces towards other processes, times the halo width.
std::int64_t halo_volume(factors const& counts, cell_grid const& grid) {
  std::int64_t volume = 0;
  for (int a = 0; a < std::ssize(counts); ++a) {
    std::int64_t face = counts[a] > 1 ? grid.widths[a] : 0;
    for (int b = 0; b < std::ssize(counts); ++b)
      face *= b == a ? 1 : (grid.cells[b] + counts[b] - 1) / counts[b];
    volume += face;
  }
  return volume;
}

/// True if `a` is the better cut, as dims_for_blocks documents it.
bool is_better(factors const& a, factors const& b, cell_grid const& grid) {
  auto const volume_a = halo_volume(a, grid), volume_b = halo_volume(b, grid);
  if (volume_a != volume_b)
    return volume_a < volume_b;
  auto const even_a = sorted_down(free_of(a, grid.processes)),
             even_b = sorted_down(free_of(b, grid.processes));
  if (!even_a.empty() && spread(even_a) != spread(even_b))
    return spread(even_a) < spread(even_b);
  return even_a != even_b ? even_a < even_b : a > b;
}

std::optional<factors> best_cut_by_brute_force(int number, cell_grid const& grid) {
  std::optional<factors> best;
  for_each_factorization(number, grid.cells.size(), [&](factors const& f) {
    if (is_feasible(f, grid) && (!best || is_better(f, *best, grid)))
      best = f;
  });
  return best;
}

cell_grid random_grid(std::mt19937& random) {
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  cell_grid grid;
  for (int axes = 1 + below(3); axes > 0; --axes) {
    grid.cells.push_back(1 + below(40));
    grid.widths.push_back(below(4));
    grid.processes.push_back(below(5) == 0 ? 1 + below(4) : 0);
  }
  return grid;
}

} // namespace

TEST_CASE("well-known counts are factored as expected") {
  CHECK(dims_create(72, factors{0, 0}) == factors{9, 8});
  CHECK(dims_create(25, factors{0, 0}) == factors{5, 5});
  CHECK(dims_create(6, factors{0, 0}) == factors{3, 2});
  CHECK(dims_create(7, factors{0, 0}) == factors{7, 1});
  CHECK(dims_create(64, factors{0, 0, 0}) == factors{4, 4, 4});
  CHECK(dims_create(24, factors{0, 3, 0}) == factors{4, 3, 2});
  CHECK(dims_create(16 * 81 * 25, factors{0, 0, 0, 0}) == factors{15, 15, 12, 12});
  CHECK(dims_create(1 << 20, factors(6, 0)) == factors{16, 16, 8, 8, 8, 8});
  CHECK(dims_create(1, factors{}).empty());
}

TEST_CASE("no factorization is more even") {
  std::vector<int> numbers{3600, 5850, 7488};
  for (int number = 1; number <= 360; ++number)
    numbers.push_back(number);
  for (int const number : numbers)
    for (std::size_t count = 1; count <= 4; ++count) {
      INFO(number << " in " << count << " dimensions");
      REQUIRE(dims_create(number, factors(count, 0)) == most_even_by_brute_force(number, count));
    }
}

TEST_CASE("factors multiply to the count, respect the fixed ones, and do not increase") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 3000; ++trial) {
    factors fixed(1 + random() % 6, 0);
    int taken = 1;
    for (int i = 1; i < std::ssize(fixed); ++i)
      if (random() % 3 == 0)
        taken *= fixed[i] = 1 + static_cast<int>(random() % 6);
    int const number =
        taken * (1 + static_cast<int>(random() % static_cast<unsigned>((1 << 20) / taken)));
    auto const dims = dims_create(number, fixed);
    REQUIRE(product(dims) == number);
    REQUIRE(is_non_increasing(free_of(dims, fixed)));
    for (int i = 0; i < std::ssize(fixed); ++i)
      REQUIRE((fixed[i] == 0 || fixed[i] == dims[i]));
  }
}

TEST_CASE("the MPI library's factors are never more even") {
  for (int number = 1; number <= 3000; ++number)
    for (int count = 1; count <= 4; ++count) {
      factors theirs(count, 0);
      REQUIRE(MPI_Dims_create(number, count, theirs.data()) == MPI_SUCCESS);
      auto const ours = dims_create(number, factors(theirs.size(), 0));
      INFO(number << " in " << count << " dimensions");
      REQUIRE(spread(ours) <= spread(theirs));
    }
}

TEST_CASE("factors that cannot be are refused with the reason") {
  CHECK_THROWS_AS(dims_create(0, factors{0, 0}), usage_error);
  CHECK_THROWS_AS(dims_create(6, factors{-1, 0}), usage_error);
  CHECK_THROWS_AS(dims_create(7, factors{2, 0}), usage_error);
  CHECK_THROWS_AS(dims_create(8, factors{2, 2}), usage_error);
  CHECK_THROWS_AS(dims_create(2, factors{}), usage_error);
  CHECK_THROWS_AS(dims_create(6, factors(5, 1 << 30)), usage_error);
  try {
    dims_create(7, factors{2, 0});
  } catch (usage_error const& refused) {
    CHECK(std::string(refused.what()).find("7 processes over [2, 0]") != std::string::npos);
  }
}

TEST_CASE("blocks exchange as little as the halo width and the grid allow") {
  std::mt19937 random(2);
  int num_feasible = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    auto const grid = random_grid(random);
    int const number = 1 + static_cast<int>(random() % 64);
    auto const expected = best_cut_by_brute_force(number, grid);
    REQUIRE(dims_for_blocks(number, grid) == expected);
    num_feasible += expected.has_value();
  }
  CHECK(num_feasible > 300);
}

TEST_CASE("blocks without a halo are as even as the factors") {
  for (int number = 1; number <= 400; ++number)
    for (std::size_t axes = 1; axes <= 4; ++axes) {
      cell_grid const grid{std::vector<std::int64_t>(axes, number), factors(axes, 0),
                           factors(axes, 0)};
      REQUIRE(dims_for_blocks(number, grid) == dims_create(number, factors(axes, 0)));
    }
}

TEST_CASE("the shape of the grid decides which axes are cut") {
  auto const cut = [](int number, std::vector<std::int64_t> cells) {
    std::vector<int> const ones(cells.size(), 1), free(cells.size(), 0);
    return dims_for_blocks(number, {std::move(cells), ones, free});
  };
  CHECK(cut(72, {1000, 1000}) == factors{9, 8});
  CHECK(cut(2, {100, 100}) == factors{2, 1});
  CHECK(cut(8, {1000, 10}) == factors{8, 1});
  CHECK(cut(8, {10, 1000}) == factors{1, 8});
  CHECK(cut(8, {std::int64_t{1} << 40, std::int64_t{1} << 40, std::int64_t{1} << 40}) ==
        factors{2, 2, 2});
  CHECK(cut(101, {100, 100}) == std::nullopt);
  CHECK(dims_for_blocks(6, {{100, 100}, {1, 1}, {0, 6}}) == factors{1, 6});
  CHECK(dims_for_blocks(1, {{}, {}, {}}) == factors{});
  CHECK(dims_for_blocks(2, {{}, {}, {}}) == std::nullopt);
}

TEST_CASE("the largest usable process count is feasible and every larger one is not") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 500; ++trial) {
    auto const grid = random_grid(random);
    int const limit = 1 + static_cast<int>(random() % 80);
    int const largest = largest_usable_process_count(limit, grid);
    REQUIRE((largest == 0 || best_cut_by_brute_force(largest, grid)));
    for (int larger = largest + 1; larger <= limit; ++larger)
      REQUIRE(!best_cut_by_brute_force(larger, grid));
  }
}

TEST_CASE("a grid without room for one block has no usable process count") {
  CHECK(largest_usable_process_count(8, {{0, 10}, {1, 1}, {0, 0}}) == 0);
  CHECK(largest_usable_process_count(8, {{2, 10}, {3, 1}, {0, 0}}) == 0);
  CHECK(largest_usable_process_count(8, {{10, 10}, {1, 1}, {16, 0}}) == 0);
  CHECK(largest_usable_process_count(1 << 20, {{7, 7, 7}, {2, 2, 2}, {0, 0, 0}}) == 27);
}

TEST_CASE("a grid of contradicting lists is refused") {
  CHECK_THROWS_AS(dims_for_blocks(2, {{10, 10}, {1}, {0, 0}}), usage_error);
  CHECK_THROWS_AS(dims_for_blocks(2, {{10, 10}, {1, 1}, {0}}), usage_error);
  CHECK_THROWS_AS(dims_for_blocks(2, {{10, -1}, {1, 1}, {0, 0}}), usage_error);
  CHECK_THROWS_AS(dims_for_blocks(2, {{10, 10}, {1, -1}, {0, 0}}), usage_error);
  CHECK_THROWS_AS(largest_usable_process_count(0, {{10}, {1}, {0}}), usage_error);
}
