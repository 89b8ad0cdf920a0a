// Patches of boards that are mostly empty: gliders, whose cells in any generation are known, cross
// the sides and corners of patches that sleep.
#include "evolution.hpp"
#include "pattern.hpp"

#include <seam/stencil/fields/gather.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

using namespace life;

namespace {

/// Gliders of one direction on a board that is empty otherwise. Each moves by one cell along both axes
/// in four generations.
struct flight {
  board where;
  std::vector<std::array<std::int64_t, 2>> starts; ///< rows and columns of their corners
  int down, right;                                 ///< 1, or -1 for the opposite directions

  /// Ascending.
  std::set<std::array<std::int64_t, 2>> cells_after(std::int64_t generations) const {
    constexpr std::array<std::array<int, 2>, 5> glider{{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}};
    std::set<std::array<std::int64_t, 2>> all;
    for (auto const& start : starts)
      for (auto const& cell : glider) {
        auto const at = [&](int axis, int direction, std::int64_t extent) {
          int const mirrored = direction > 0 ? cell[axis] : 2 - cell[axis];
          return (start[axis] + mirrored + direction * generations / 4 + extent) % extent;
        };
        all.insert({at(0, down, where.height), at(1, right, where.width)});
      }
    return all;
  }
};

/// On planes they stay away from borders for 200 generations; on a torus they begin anywhere, and
/// mostly beside sides and corners of patches.
flight draw_flight(unsigned seed) {
  std::mt19937 random(seed);
  auto const between = [&](std::int64_t least, std::int64_t end) {
    return least + static_cast<std::int64_t>(random() % static_cast<unsigned>(end - least));
  };
  bool const torus = seed % 2 == 0;
  flight drawn{
      {torus ? topology::torus : topology::plane, 64 * between(24, 40), between(900, 1400)},
      {},
      random() % 2 == 0 ? 1 : -1,
      random() % 2 == 0 ? 1 : -1};
  std::int64_t const margin = torus ? 0 : 60;
  auto const place = [&](std::int64_t extent, std::int64_t patch) {
    std::int64_t const side = patch * between(1, extent / patch + 1) + between(-40, 40);
    return random() % 4 == 0 ? between(margin, extent - margin)
                             : std::clamp(side, margin, extent - margin - 1);
  };
  for (std::int64_t count = between(1, 4); count > 0; --count)
    drawn.starts.push_back(
        {place(drawn.where.height / 4, 128) + (count - 1) * drawn.where.height / 4 + margin / 2,
         place(drawn.where.width, 256)});
  return drawn;
}

} // namespace

TEST_CASE("a glider wakes the patches that it reaches, across sides and corners") {
  auto const world = seam::testing::world();
  for (unsigned seed = 1; seed <= 60; ++seed) {
    flight const drawn = draw_flight(seed);
    pattern all{drawn.where.width, drawn.where.height, {}, {}, {}};
    for (auto const& [row, column] : drawn.cells_after(0))
      add(all.alive, {row, column});
    generation cells(world, drawn.where);
    put(all, cells);
    evolution loop(cells, {});
    INFO("seed " << seed);
    for (int const count : {32, 16, 16, 8, 4, 44, 80}) {
      loop.run(count);
      auto const words = seam::gather(cells.now());
      std::set<std::array<std::int64_t, 2>> found;
      for (std::size_t k = 0; k < words.size(); ++k)
        for (word rest = words[k]; rest != 0; rest &= rest - 1) {
          auto const number = static_cast<std::int64_t>(k);
          std::int64_t const in_row = cells.layout().row.num_words();
          found.insert({number / in_row, number % in_row * cells.layout().row.cells_per_word +
                                             std::countr_zero(rest)});
        }
      if (world.rank() == 0)
        REQUIRE(found == drawn.cells_after(loop.num_generations()));
    }
  }
}

TEST_CASE("patches sleep where cells are dead or blink, and wake when a glider comes") {
  if (seam::testing::all_ranks().size() > 1)
    return;
  auto const world = seam::testing::world();
  generation cells(world, {topology::plane, 4096, 1152});
  put(parse_rle("bo$2bo$3o200b3o!", "pattern"), cells);
  patches some(cells);
  kernel const next(rule{});
  auto const num_awake = [&](int generations) {
    block const of(cells);
    some.compare_ghosts(of);
    std::int64_t count = 0;
    for (seam::box<2> const& strip : some.wake(generations, false)) {
      advance_strip(of, some.words_of(strip), next, generations);
      some.compare(of, strip);
      count += strip.num_cells();
    }
    cells.advance();
    return count;
  };
  CHECK(num_awake(16) == 9 * 16);
  CHECK(num_awake(16) <= 2 * 9);
  CHECK(num_awake(16) <= 9); // around the glider
  CHECK(num_awake(7) <= 2 * 9);
  CHECK(num_awake(16) <= 2 * 9); // what is as it was 7 generations ago need not be so in 16
  CHECK(num_awake(16) <= 9);
  CHECK(population(cells) == 5 + 3);
}
