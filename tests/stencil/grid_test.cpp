// Grids: blocks cover the domain, edges are the neighborhood's, what cannot be is refused.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/field.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>

using namespace seam;
using namespace seam::detail;

TEST_CASE("blocks cover the domain, and differ by one cell at most on each axis") {
  auto const world = testing::world();
  Grid<3> const grid(world, {.cells = {9, 13, 17}, .periodic = {true, false, true}});
  std::int64_t sum = 0;
  for (int rank = 0; rank < grid.size(); ++rank) {
    box<3> const part = grid.owned_by(rank);
    sum += part.num_cells();
    for (int axis = 0; axis < 3; ++axis) {
      int const a = axis;
      CHECK(part.extent(axis) - grid.cells()[a] / grid.processes()[a] <= 1);
      CHECK(part.extent(axis) >= grid.cells()[a] / grid.processes()[a]);
    }
    for (int other = 0; other < rank; ++other) {
      bool apart = false;
      for (int a = 0; a < 3; ++a)
        apart = apart || part.hi[a] <= grid.owned_by(other).lo[a] ||
                grid.owned_by(other).hi[a] <= part.lo[a];
      CHECK(apart);
    }
  }
  CHECK(sum == grid.domain().num_cells());
  CHECK(grid.owned() == grid.owned_by(grid.rank()));
}

TEST_CASE("a fully periodic Moore grid has an edge for each of 8 sides on every rank") {
  Grid<2> const grid(testing::world(),
                     {.cells = {16, 24}, .periodic = {true, true}, .neighborhood = moore(1)});
  CHECK(grid.graph().topology().sources().size() == 8);
  CHECK(grid.graph().topology().destinations().size() == 8);
  CHECK(grid.halo_plan().topology() == grid.graph().topology());
}

TEST_CASE("no edge leads across a border that is not periodic") {
  auto const world = testing::world();
  Grid<1> const grid(world, {.cells = {100}});
  auto const expected = (world.size() == 1) ? 0U
                        : (grid.naming().coordinates(world.rank())[0] == 0 ||
                           grid.naming().coordinates(world.rank())[0] == world.size() - 1)
                            ? 1U
                            : 2U;
  CHECK(grid.graph().topology().destinations().size() == expected);
}

TEST_CASE("what a tile reads holds its neighbors, and mirror images of those beyond borders") {
  Grid<2> const grid(testing::world(), {.cells = {26, 5},
                                        .periodic = {false, true},
                                        .neighborhood = offsets({{-2, 1}, {1, 0}})});
  box<2> const owned{{}, grid.owned().extents()};
  for_each_cell(owned, [&](cell_index<2> const& low) {
    box<2> const tile = intersection({low, {low[0] + 3, low[1] + 1}}, owned);
    box<2> const read = grid.read_by(tile);
    for_each_cell(grow(tile, {2, 0}, {1, 1}), [&](cell_index<2> const& cell) {
      CHECK(read.contains(cell));
      std::int64_t const row = cell[0] + grid.owned().lo[0];
      std::int64_t const mirror = row < 0 ? -1 - row : row >= 26 ? 51 - row : row;
      CHECK(read.contains({mirror - grid.owned().lo[0], cell[1]}));
    });
    bool const at_border =
        tile.lo[0] + grid.owned().lo[0] < 2 || tile.hi[0] + grid.owned().lo[0] == 26;
    if (!at_border)
      CHECK(read == grow(tile, {2, 0}, {1, 1}));
  });
}

TEST_CASE("processes on an axis can be fixed") {
  auto const world = testing::world();
  Grid<2> const grid(world, {.cells = {40, 40}, .processes = {1, 0}});
  CHECK(grid.processes() == std::array{1, world.size()});
}

TEST_CASE("cell centres lie where the domain says") {
  Grid<2> const grid(testing::world(),
                     {.cells = {10, 20}, .lower = {-1.0, 0.0}, .upper = {1.0, 5.0}});
  CHECK(grid.spacing() == position<2>{0.2, 0.25});
  CHECK(grid.geometry().centre({0, 0}) == position<2>{-0.9, 0.125});
  CHECK(grid.geometry().centre({-1, 20})[1] == Approx(5.125));
}

TEST_CASE("a halo wider than a block is refused with axis, width and largest usable count") {
  auto const world = testing::world();
  grid_options<1> const options{.cells = {2 * world.size() + 1}, .neighborhood = von_neumann(3)};
  if (options.cells[0] / world.size() >= 3) {
    CHECK_NOTHROW(Grid<1>(world, options));
    return;
  }
  CHECK_THROWS_WITH(Grid<1>(world, options),
                    Catch::Contains("axis 0 has " + std::to_string(options.cells[0]) +
                                    " cells and a halo of width 3 (expected at most " +
                                    std::to_string(options.cells[0] / 3) + " processes)"));
}

TEST_CASE("what is refused names the axis at fault, also where processes are fixed") {
  auto const world = testing::world();
  int const p = world.size();
  if (p > 2) {
    CHECK_THROWS_WITH(
        Grid<2>(world, {.cells = {100, 100}, .neighborhood = von_neumann(40), .processes = {1, p}}),
        Catch::StartsWith(fmt::format("grid: {} processes on axis 1 leave blocks thinner than the "
                                      "halo: axis 1 has 100 cells and a halo of width 40 "
                                      "(expected at most 2 processes there)",
                                      p)));
    CHECK_THROWS_WITH(
        Grid<2>(world, {.cells = {2, 5}, .neighborhood = von_neumann(2), .processes = {1, 0}}),
        Catch::StartsWith(fmt::format("grid: 2x5 cells on {} processes leave blocks thinner than "
                                      "the halo: axis 1 has 5 cells and a halo of width 2 "
                                      "(expected at most 2 processes)",
                                      p)));
  }
  CHECK_THROWS_WITH(Grid<2>(world, {.cells = {50, 3}, .neighborhood = von_neumann(4)}),
                    Catch::StartsWith("grid: the grid itself is thinner than the halo: axis 1 has "
                                      "3 cells and a halo of width 4 (expected at least 4 cells)"));
  CHECK_NOTHROW(Grid<2>(
      world, {.cells = {50, 3}, .periodic = {false, true}, .neighborhood = von_neumann(4)}));
  CHECK_THROWS_WITH(Grid<2>(world, {.cells = {50 * p, 3},
                                    .periodic = {false, true},
                                    .neighborhood = von_neumann(4),
                                    .processes = {0, 2}}),
                    Catch::StartsWith("grid: "));
}

TEST_CASE("fixed processes have to divide those that there are") {
  auto const world = testing::world();
  int const p = world.size();
  auto const refusal = [&](std::array<int, 2> processes) {
    try {
      Grid<2> const grid(world, {.cells = {64, 64}, .processes = processes});
    } catch (usage_error const& refused) {
      CHECK(refused.on_all_ranks());
      return std::string(refused.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(refusal({p + 1, 0}),
             Catch::StartsWith(fmt::format("grid: processes [{1}, 0] on {0} ranks: {1} does not "
                                           "divide {0} (expected 0 on an axis for any number)",
                                           p, p + 1)));
  CHECK_THAT(refusal({2, p}), Catch::StartsWith(fmt::format(
                                  "grid: processes [2, {0}] on {0} ranks: 2x{0} is not {0}", p)));
  if (p > 1)
    CHECK_THAT(refusal({1, 1}), Catch::StartsWith(fmt::format(
                                    "grid: processes [1, 1] on {0} ranks: 1x1 is not {0}", p)));
  CHECK_THAT(refusal({-1, 0}),
             Catch::StartsWith("grid: -1 processes on axis 0 (expected at least"));
  CHECK(refusal({1, p}) == "accepted");
}

TEST_CASE("blocks whose indices would not be ints are refused") {
  auto const world = testing::world();
  std::int64_t const p = world.size(), most = std::numeric_limits<int>::max();
  CHECK_THROWS_WITH(
      Grid<1>(world, {.cells = {p * (most - 1)}}),
      Catch::StartsWith(fmt::format("grid: axis 0 has {} cells on {} processes: blocks of {} "
                                    "(expected at most {})",
                                    p * (most - 1), p, most - 1, most - 2)));
  CHECK_THROWS_WITH(Grid<1>(world, {.cells = {std::numeric_limits<std::int64_t>::max()}}),
                    Catch::Contains("(expected at most 2147483645)"));
  CHECK_THROWS_WITH(Grid<3>(world, {.cells = {most - 2, most - 2, most - 2}}),
                    Catch::Contains("(expected at most 1.1e+15)"));
}

TEST_CASE("options that make no grid are refused on all ranks") {
  auto const world = testing::world();
  CHECK_THROWS_WITH(Grid<2>(world, {.cells = {4, 0}}), Catch::Contains("0 cells on axis 1"));
  CHECK_THROWS_WITH(Grid<1>(world, {.cells = {4096}, .lower = {1.0}, .upper = {1.0}}),
                    Catch::Contains("expected ascending"));
  double const infinite = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(Grid<1>(world, {.cells = {4096}, .upper = {infinite}}),
                    Catch::Contains("from 0 to inf on axis 0 (expected a finite length)"));
  CHECK_THROWS_AS(Grid<2>(world, {.cells = {64, 64}, .neighborhood = offsets({{1, 0, 0}})}),
                  usage_error);
  CHECK_THROWS_AS(Grid<2>(world, {.cells = {64, 64}, .processes = {world.size() + 1, 0}}),
                  usage_error);
  if (world.size() > 1)
    CHECK_THROWS_WITH(Grid<1>(world, {.cells = {4096 + world.rank()}}),
                      Catch::Contains("expected the same on all ranks"));
}
