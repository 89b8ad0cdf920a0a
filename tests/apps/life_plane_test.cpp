// Planes without borders against a game that is played on a set of live cells, one by one: random
// soups, and gliders, whose cells in any generation are known, across sides and corners of tiles.
#include "pattern.hpp"
#include "plane.hpp"

#include <seam/exchange/sums/sum.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace life;

namespace {

using cell = std::pair<std::int64_t, std::int64_t>; ///< row, column
using live_cells = std::set<cell>;

/// The next generation, by numbers of neighbors.
live_cells next(live_cells const& now, rule const& game) {
  std::map<cell, int> neighbors;
  for (auto const& [row, column] : now)
    for (int r = -1; r <= 1; ++r)
      for (int c = -1; c <= 1; ++c)
        if (r != 0 || c != 0)
          ++neighbors[{row + r, column + c}];
  for (cell const& at : now)
    neighbors.try_emplace(at, 0);
  live_cells later;
  for (auto const& [at, count] : neighbors)
    if ((now.contains(at) ? game.survival : game.birth) >> count & 1)
      later.insert(at);
  return later;
}

void set(plane& cells, live_cells const& alive) {
  for (auto const& [row, column] : alive)
    cells.set({row, column});
}

/// All cells of a plane, on rank 0.
live_cells found_on(plane const& cells) {
  live_cells all;
  auto const box = extent(cells);
  for (run_of_cells const& run : gather(cells).alive)
    for (std::int64_t k = 0; k < run.length; ++k)
      all.emplace(run.row + box->lo[0], run.column + box->lo[1] + k);
  return all;
}

void require_same(plane const& cells, live_cells const& expected) {
  auto const found = found_on(cells);
  auto const count = population(cells);
  if (cells.base().rank() == 0)
    REQUIRE(found == expected);
  REQUIRE(count == std::ssize(expected));
}

class random_numbers {
public:
  explicit random_numbers(unsigned seed) : random_(seed) {}

  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_() % static_cast<unsigned>(most - least + 1));
  }

private:
  std::mt19937 random_;
};

/// Soups of different density, around corners and sides of tiles and of regions, and between them.
live_cells draw_soups(random_numbers& random) {
  live_cells all;
  for (std::int64_t count = random.between(1, 3); count > 0; --count) {
    cell const corner{rows_of_tile * random.between(-5, 5) + random.between(-20, 4),
                      columns_of_tile * random.between(-5, 5) + random.between(-20, 4)};
    std::int64_t const size = random.between(1, 24), density = random.between(20, 60);
    for (std::int64_t r = 0; r < size; ++r)
      for (std::int64_t c = 0; c < size; ++c)
        if (random.between(0, 99) < density)
          all.emplace(corner.first + r, corner.second + c);
  }
  return all;
}

/// Gliders that start at some cells and move by one along both axes in four generations.
struct gliders {
  std::vector<cell> starts;
  int down, right; ///< 1 or -1

  live_cells after(std::int64_t generations) const {
    constexpr std::array<std::array<int, 2>, 5> glider{{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}};
    live_cells all;
    for (cell const& start : starts)
      for (auto const& [row, column] : glider)
        all.emplace(start.first + (down > 0 ? row : 2 - row) + down * generations / 4,
                    start.second + (right > 0 ? column : 2 - column) + right * generations / 4);
    return all;
  }
};

} // namespace

TEST_CASE("a plane has the cells of a game that is played cell by cell") {
  auto const world = seam::testing::world();
  for (unsigned seed = 1; seed <= 24; ++seed) {
    INFO("seed " << seed);
    random_numbers random(seed);
    rule const game = seed % 3 == 0   ? parse_rule("B36/S23")
                      : seed % 7 == 0 ? parse_rule("B2/S")
                                      : rule{};
    auto expected = draw_soups(random);
    plane cells(world);
    kernel const by_words(game);
    set(cells, expected);
    require_same(cells, expected);
    for (int turn = 0; turn < 5; ++turn) {
      auto const count = random.between(0, game.birth & 4 ? 12 : 40);
      cells.run(count, by_words);
      for (std::int64_t n = 0; n < count; ++n)
        expected = next(expected, game);
      require_same(cells, expected);
    }
  }
}

TEST_CASE("gliders fly across tiles, however far, and leave none behind") {
  auto const world = seam::testing::world();
  for (unsigned seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    random_numbers random(100 + seed);
    gliders flying{{}, random.between(0, 1) == 0 ? 1 : -1, random.between(0, 1) == 0 ? 1 : -1};
    for (std::int64_t count = random.between(1, 3); count > 0; --count)
      flying.starts.emplace_back(300 * count + random.between(-5, 5),
                                 columns_of_tile * random.between(-3, 3) + random.between(-4, 4));
    plane cells(world);
    set(cells, flying.after(0));
    kernel const conway(rule{});
    std::int64_t generations = 0;
    for (int const count : {16, 4, 160, 64, 12, 1600, 4096}) {
      cells.run(count, conway);
      require_same(cells, flying.after(generations += count));
    }
    cells.run(4 * 16 * 64, conway); // tiles are forgotten in one of 64 turns
    auto const num_tiles = seam::sum(world, std::ssize(cells.own_tiles()));
    CHECK(num_tiles <= 9 * 4 * std::ssize(flying.starts));
  }
}

TEST_CASE("what blinks on a plane stays, however runs are divided") {
  auto const world = seam::testing::world();
  live_cells expected; // blinkers in corners of tiles, and a block between two of them
  for (std::int64_t row : {-1, 0, 127, 128, 511, 512})
    for (std::int64_t column : {-2, 62, 382, 1534})
      for (int k = 0; k < 3; ++k)
        expected.emplace(8 * row, 8 * column + k);
  plane cells(world);
  set(cells, expected);
  kernel const conway(rule{});
  for (int const count : {1, 16, 16, 3, 17, 5, 160, 1, 1, 2, 33}) {
    cells.run(count, conway);
    for (int n = 0; n < count % 2; ++n)
      expected = next(expected, rule{});
    require_same(cells, expected);
  }
}

TEST_CASE("a plane takes over the tiles of another one, whichever rank brings them") {
  auto const world = seam::testing::world();
  random_numbers random(7);
  auto expected = draw_soups(random);
  plane first(world), second(world);
  set(first, expected);
  set(second, draw_soups(random));
  kernel const conway(rule{});
  second.run(20, conway);
  std::vector<tile_cells> own;
  for (tile const* const of : first.own_tiles())
    own.push_back({of->at, of->now()});
  second.take(own);
  require_same(second, expected);
  first.run(50, conway);
  second.run(50, conway);
  auto const evolved = found_on(first);
  CHECK(population(second) == population(first));
  auto const found = found_on(second);
  CHECK(found == evolved);
}

TEST_CASE("a plane without live cells has no extent, and stays empty") {
  plane cells(seam::testing::world());
  kernel const conway(rule{});
  cells.run(100, conway);
  CHECK(population(cells) == 0);
  CHECK(!extent(cells).has_value());
  CHECK(gather(cells).alive.empty());
  cells.set({0, -1, 1});
  cells.run(1, conway);
  CHECK(population(cells) == 0);
}
