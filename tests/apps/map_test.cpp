#include <offsets_within.hpp>
#include <support/catch.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/neighborhood.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace {

using seam::offset_list;
using seam::stencil_grid;

/// The weights between processes of a grid, summed up offset by offset and process by process.
std::map<std::pair<std::vector<int>, std::vector<int>>, std::int64_t> weights_between(
    stencil_grid const& grid) {
  std::vector<std::vector<int>> points{{}};
  for (int const extent : grid.extent) {
    std::vector<std::vector<int>> longer;
    for (auto const& point : points)
      for (int x = 0; x < extent; ++x) {
        longer.push_back(point);
        longer.back().push_back(x);
      }
    points = longer;
  }
  std::map<std::pair<std::vector<int>, std::vector<int>>, std::int64_t> sums;
  for (auto const& from : points)
    for (int i = 0; i < grid.offsets.size(); ++i) {
      auto to = from;
      bool is_inside = true;
      for (std::size_t k = 0; k < to.size(); ++k) {
        to[k] += grid.offsets[i][k];
        while (grid.periodic[k] && to[k] < 0)
          to[k] += grid.extent[k];
        while (grid.periodic[k] && to[k] >= grid.extent[k])
          to[k] -= grid.extent[k];
        is_inside = is_inside && to[k] >= 0 && to[k] < grid.extent[k];
      }
      if (is_inside)
        sums[{from, to}] += grid.offsets.weight(i);
    }
  return sums;
}

/// A small grid with offsets that may reach far beyond it, and repeat.
stencil_grid random_grid(std::mt19937& random) {
  auto const from_to = [&](int least, int most) {
    return std::uniform_int_distribution(least, most)(random);
  };
  int const d = from_to(1, 3);
  stencil_grid grid{{}, {}, offset_list(d)};
  for (int k = 0; k < d; ++k) {
    grid.extent.push_back(from_to(1, 4));
    grid.periodic.push_back(from_to(0, 1) == 1);
  }
  for (int n = from_to(0, 12); n > 0; --n) {
    std::vector<int> offset;
    for (int k = 0; k < d; ++k)
      offset.push_back(from_to(-9, 9));
    grid.offsets.push_back(offset, from_to(1, 5));
  }
  return grid;
}

} // namespace

TEST_CASE("offsets within a grid lead to the same processes with the same weights") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    stencil_grid const grid = random_grid(random);
    int next = 0;
    stencil_grid const within{grid.extent, grid.periodic,
                              map::offsets_within(grid, [&](std::span<int const> offset) {
                                while (!std::ranges::equal(grid.offsets[next], offset))
                                  ++next; // those that lead beyond a border have no weight
                                return grid.offsets.weight(next++);
                              })};
    CHECK(weights_between(within) == weights_between(grid));
    int most = 1;
    for (int const extent : grid.extent)
      most *= 2 * extent - 1;
    CHECK(within.offsets.size() <= most);
  }
}

TEST_CASE(
    "the offsets within a grid are as few as it has ways, however far a neighborhood reaches") {
  auto const unit = [](std::span<int const>) { return 1; };
  for (bool const is_periodic : {false, true}) {
    auto const within =
        map::offsets_within({{3, 2}, {is_periodic, is_periodic}, seam::moore(500).expand(2)}, unit);
    CHECK(within.size() == (is_periodic ? 15 : 14)); // with (0, 0), to which long ones wrap
  }
}

TEST_CASE("weights whose sum has no 31 bits are refused") {
  constexpr int most = std::numeric_limits<int>::max();
  stencil_grid const grid{{1}, {true}, seam::offsets({{1}, {2}}).expand(1)};
  CHECK_THROWS_AS(map::offsets_within(grid, [](std::span<int const>) { return most; }),
                  seam::usage_error);
}
