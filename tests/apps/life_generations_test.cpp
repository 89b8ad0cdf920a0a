// Generations of cells in words against a game that is played byte by byte on one process: random
// rules on boards of all widths, tori and planes, in runs of random lengths.
#include "evolution.hpp"
#include "kernel.hpp"
#include "pattern.hpp"

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/gather.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace life;

namespace {

/// A board with a byte for each cell.
struct bytes_board {
  int height, width;
  bool torus;
  unsigned birth, survival;
  std::vector<char> cells;

  /// A row, which beyond the board is the opposite one, or dead.
  char const* row(int i) const {
    static std::vector<char> const dead(4000);
    return torus || (i >= 0 && i < height) ? &cells[(i + height) % height * width] : dead.data();
  }

  /// Adds up columns of three cells, then three of these sums.
  void play() {
    std::vector<char> next(cells.size());
    std::vector<int> sums(width + 2);
    for (int i = 0; i < height; ++i) {
      char const* const rows[] = {row(i - 1), row(i), row(i + 1)};
      for (int j = 0; j < width; ++j)
        sums[j + 1] = rows[0][j] + rows[1][j] + rows[2][j];
      sums.front() = torus ? sums[width] : 0;
      sums.back() = torus ? sums[1] : 0;
      for (int j = 0; j < width; ++j) {
        int const n = sums[j] + sums[j + 1] + sums[j + 2] - rows[1][j];
        next[i * width + j] = static_cast<char>((rows[1][j] != 0 ? survival : birth) >> n & 1);
      }
    }
    cells = next;
  }
};

struct problem {
  bytes_board expected;
  int depth;
};

std::string in_words(problem const& of, unsigned seed) {
  bytes_board const& b = of.expected;
  return std::to_string(b.width) + "x" + std::to_string(b.height) +
         (b.torus ? " torus" : " plane") + ", births " + std::to_string(b.birth) + ", survivals " +
         std::to_string(b.survival) + ", depth " + std::to_string(of.depth) + ", seed " +
         std::to_string(seed);
}

problem draw(unsigned seed, int width) {
  std::mt19937 random(seed);
  auto const below = [&](unsigned end) { return static_cast<int>(random() % end); };
  problem drawn{{1 + below(random() % 3 == 0 ? 6 : 60),
                 width,
                 below(2) == 0,
                 static_cast<unsigned>(below(512)),
                 static_cast<unsigned>(below(512)),
                 {}},
                1 + below(16)};
  if (below(3) == 0) {
    drawn.expected.birth = 1U << 3;
    drawn.expected.survival = 1U << 2 | 1U << 3;
  }
  unsigned const one_in = 1 + below(5);
  for (int k = 0; k < drawn.expected.height * width; ++k)
    drawn.expected.cells.push_back(random() % one_in == 0);
  return drawn;
}

pattern pattern_of(bytes_board const& board) {
  pattern all{board.width, board.height, {}, {}, {}};
  for (int i = 0; i < board.height; ++i)
    for (int j = 0; j < board.width; ++j)
      if (board.row(i)[j] != 0)
        add(all.alive, {i, j});
  return all;
}

/// The cells of a gathered board as bytes; true behind them if a bit beside them is set.
std::pair<std::vector<char>, bool> bytes_of(std::vector<word> const& words, packing const& row,
                                            int height) {
  std::pair<std::vector<char>, bool> found{{}, false};
  for (std::size_t k = 0; k < words.size(); ++k) {
    int const count = row.cells_of(static_cast<std::int64_t>(k));
    for (int bit = 0; bit < count; ++bit)
      found.first.push_back(static_cast<char>(words[k] >> bit & 1));
    found.second = found.second || (words[k] & ~first_cells(count)) != 0;
  }
  REQUIRE(std::ssize(found.first) == height * row.width);
  return found;
}

void require_equal(generation const& cells, bytes_board const& expected) {
  auto const words = seam::gather(cells.now());
  std::int64_t num_alive = 0;
  for (char const cell : expected.cells)
    num_alive += cell;
  REQUIRE(population(cells) == num_alive);
  if (cells.grid().rank() != 0)
    return;
  auto const [found, has_more] = bytes_of(words, cells.layout().row, expected.height);
  REQUIRE(found == expected.cells);
  REQUIRE_FALSE(has_more);
}

/// Plays a problem in runs of random lengths; false if there are fewer cells than ranks.
bool play(seam::Communicator const& world, problem of, unsigned seed) {
  INFO(in_words(of, seed));
  bytes_board& expected = of.expected;
  std::unique_ptr<generation> cells;
  try {
    cells = std::make_unique<generation>(world,
                                         board{expected.torus ? topology::torus : topology::plane,
                                               expected.width, expected.height},
                                         of.depth);
  } catch (seam::usage_error const& refused) {
    REQUIRE(std::string(refused.what()).find("leave blocks thinner") != std::string::npos);
    REQUIRE(std::min(expected.height, expected.width) < world.size());
    return false;
  }
  put(pattern_of(expected), *cells);
  evolution loop(*cells, {static_cast<std::uint16_t>(expected.birth),
                          static_cast<std::uint16_t>(expected.survival)});
  std::mt19937 random(seed);
  for (int run = 0; run < 4; ++run) {
    require_equal(*cells, expected);
    int const count = static_cast<int>(random() % 40);
    loop.run(count);
    for (int k = 0; k < count; ++k)
      expected.play();
  }
  require_equal(*cells, expected);
  return true;
}

} // namespace

TEST_CASE("random rules on boards of any width live as byte by byte") {
  auto const world = seam::testing::world();
  int num_played = 0;
  std::vector<int> widths{1,  2,  3,  7,   8,   31,  32,  33,  62, 63,
                          64, 65, 66, 127, 128, 129, 191, 192, 193};
  unsigned const first_seed = 4000;
  std::mt19937 random(first_seed);
  while (widths.size() < 50)
    widths.push_back(static_cast<int>(1 + random() % 200));
  for (unsigned k = 0; k < widths.size(); ++k)
    num_played += play(world, draw(first_seed + k, widths[k]), first_seed + k) ? 1 : 0;
  CHECK(num_played > 40);
}

TEST_CASE("words have fewer cells where there are more ranks than words") {
  auto const world = seam::testing::world();
  for (unsigned seed = 1; seed <= 6; ++seed) {
    problem narrow = draw(seed, 100);
    bytes_board& board = narrow.expected;
    board.height = 1 + static_cast<int>(seed % 2);
    board.cells.resize(100 * board.height);
    CHECK(play(world, narrow, seed));
  }
}

TEST_CASE("boards of many words live as byte by byte, one generation at a time and several") {
  auto const world = seam::testing::world();
  unsigned seed = 7000;
  for (int const width : {512, 576, 700, 1024, 1100})
    for (int const depth : {1, 2}) {
      problem wide = draw(++seed, width);
      wide.depth = depth;
      CHECK(play(world, wide, seed));
    }
}

TEST_CASE("a soup on a board of many rows lives as byte by byte") {
  auto const world = seam::testing::world();
  unsigned const seed = 90;
  std::mt19937 random(seed);
  INFO("seed " << seed);
  for (bool const torus : {false, true}) {
    bytes_board expected{1100, 640, torus, 1U << 3, 1U << 2 | 1U << 3, {}};
    for (int k = 0; k < expected.height * expected.width; ++k)
      expected.cells.push_back(random() % 3 == 0);
    generation cells(world, {torus ? topology::torus : topology::plane, 640, 1100});
    put(pattern_of(expected), cells);
    evolution loop(cells, {});
    loop.run(17);
    for (int k = 0; k < 17; ++k)
      expected.play();
    require_equal(cells, expected);
  }
}

TEST_CASE("cells of large boards sleep only while nothing moves") {
  auto const world = seam::testing::world();
  // Guns, gliders, blinkers and blocks on the patches of a board that is mostly empty.
  char const* const patterns[] = {"24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$"
                                  "2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$"
                                  "12b2o!",
                                  "bo$2bo$3o!",
                                  "3o!",
                                  "2o$2o!",
                                  "3o$o$bo!",
                                  "b3o$3o!"};
  for (unsigned seed = 1; seed <= 2; ++seed) {
    std::mt19937 random(seed);
    int const height = 400 + static_cast<int>(random() % 200);
    int const width = 1300 + static_cast<int>(random() % 700);
    bytes_board expected{height, width, seed % 2 == 0, 1U << 3, 1U << 2 | 1U << 3, {}};
    expected.cells.resize(height * width);
    for (auto const* text : patterns) {
      auto const at = parse_rle(text, "pattern");
      int const top = static_cast<int>(random() % (height - at.height));
      int const left = static_cast<int>(random() % (width - at.width));
      for (run_of_cells const& run : at.alive)
        for (std::int64_t k = 0; k < run.length; ++k)
          expected.cells[(top + run.row) * width + left + run.column + k] = 1;
    }
    generation cells(world, {expected.torus ? topology::torus : topology::plane, width, height});
    put(pattern_of(expected), cells);
    evolution loop(cells, {});
    INFO("seed " << seed);
    for (int const count : {48, 33, 32, 7}) {
      loop.run(count);
      if (world.rank() == 0)
        for (int k = 0; k < count; ++k)
          expected.play();
      auto const words = seam::gather(cells.now());
      if (world.rank() == 0)
        REQUIRE(bytes_of(words, cells.layout().row, height).first == expected.cells);
    }
  }
}

TEST_CASE("polynomials of all rules say which cells are born and survive") {
  using one_word = portable_vector<sizeof(word)>;
  // A bit for each number of neighbors of dead cells, and behind these of live cells.
  one_word::value cells{};
  sums<one_word> above{}, beside{}, below{};
  auto const set = [](sums<one_word>& of, int number, int bit) {
    of.ones |= one_word::all(static_cast<word>(number & 1) << bit);
    of.twos |= one_word::all(static_cast<word>(number >> 1) << bit);
  };
  for (int bit = 0; bit < 18; ++bit) {
    int const n = bit % 9, alive = bit / 9, first = std::min(n, 3), second = std::min(n - first, 2);
    cells |= one_word::all(static_cast<word>(alive) << bit);
    set(above, first, bit);
    set(beside, second + alive, bit);
    set(below, n - first - second, bit);
  }
  auto const next_by = [&](auto const& game) {
    return game(cells, above, beside, below)[0] & first_cells(18);
  };
  for (unsigned counts = 0; counts < 1U << 18; ++counts) {
    rule const game{static_cast<std::uint16_t>(counts & 511),
                    static_cast<std::uint16_t>(counts >> 9)};
    rule_forms const forms = forms_of(game);
    word const found = next_by(any_rule<one_word>(forms));
    bool const is_one = game.birth == 0 || game.survival == 0 || game.birth == game.survival;
    if ((forms.kind == rule_kind::one_polynomial) != is_one)
      FAIL("rule " << to_string(game) << " has another kernel");
    word const by_one = is_one ? next_by(one_polynomial_rule<one_word>(forms)) : found;
    if (found != counts || by_one != counts)
      FAIL("rule " << to_string(game) << ": " << found << ", by one polynomial " << by_one);
  }
  CHECK(next_by(conway<one_word>()) == (1U << 3 | 3U << 11));
}

namespace {

/// Rows of random words with some around them, for kernels.
struct random_rows {
  std::int64_t num_rows, num_words, stride;
  std::vector<word> words;

  random_rows(std::mt19937_64& random, std::int64_t rows, std::int64_t columns)
      : num_rows(rows), num_words(columns), stride(columns + 2 + static_cast<int>(random() % 9)) {
    words.resize((num_rows + 2) * stride + 2);
    unsigned const density = random() % 3;
    for (word& cells : words)
      cells = density == 0 ? random() : density == 1 ? random() & random() : random() | random();
  }

  /// The place of a row's first word.
  std::int64_t place(std::int64_t row) const { return (row + 1) * stride + 1; }

  unsigned cell(std::int64_t row, std::int64_t column) const {
    std::int64_t const bit = place(row) * 64 + column;
    return static_cast<unsigned>(words[bit / 64] >> (bit % 64) & 1);
  }

  /// The next generation cell by cell; what lies around it is 0.
  std::vector<word> next(rule const& game, borders const& ends) const {
    std::vector<word> expected(words.size());
    for (std::int64_t row = 0; row < num_rows; ++row)
      for (std::int64_t column = 0; column < num_words * 64; ++column) {
        unsigned around = 0;
        for (int k = 0; k < 9; ++k)
          around += k == 4 ? 0 : cell(row + k / 3 - 1, column + k % 3 - 1);
        unsigned const counts = cell(row, column) != 0 ? game.survival : game.birth;
        bool const is_beyond =
            (ends.left && column < 64) ||
            (ends.right &&
             (column >= (ends.last + 1) * 64 ||
              (column >= ends.last * 64 && (ends.cells_of_last >> (column % 64) & 1) == 0)));
        if (!is_beyond)
          expected[place(row) + column / 64] |= static_cast<word>(counts >> around & 1)
                                                << (column % 64);
      }
    return expected;
  }
};

/// Rules at random, and those whose logic is shortest or longest.
rule draw_rule(std::mt19937_64& random, int repeat) {
  auto const counts = [&] { return static_cast<std::uint16_t>(random() % 512); };
  auto const one = [&] { return static_cast<std::uint16_t>(1U << random() % 9); };
  constexpr std::uint16_t all = 0x1ff, odd = 0x0aa, even = 0x155;
  switch (repeat % 8) {
  case 0: return {};
  case 1: return {one(), one()};
  case 2: return {odd, repeat % 16 < 8 ? odd : even};
  case 3: return {static_cast<std::uint16_t>(repeat % 16 < 8 ? 0 : all), counts()};
  case 4: return {counts(), static_cast<std::uint16_t>(repeat % 16 < 8 ? 0 : all)};
  default: return {counts(), counts()};
  }
}

} // namespace

TEST_CASE("kernels of all sets of instructions compute the same as cell by cell") {
  constexpr unsigned seed = 11;
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 96; ++repeat) {
    rule const game = draw_rule(random, repeat);
    std::int64_t const num_words = words_of_vector + static_cast<int>(random() % 18);
    random_rows const from(random, 1 + static_cast<int>(random() % (repeat % 8 == 7 ? 300 : 9)),
                           num_words);
    borders ends;
    if (repeat % 2 == 1)
      ends = {.left = random() % 2 == 0,
              .right = random() % 2 == 0,
              .last = num_words - 2,
              .cells_of_last = random() >> random() % 64};
    auto const expected = from.next(game, ends);
    int number = 0;
    for (kernel const& next : kernel::all_of(game)) {
      std::vector<word> to(from.words.size());
      next({.from = &from.words[from.place(0)],
            .to = &to[from.place(0)],
            .num_rows = from.num_rows,
            .num_words = num_words,
            .stride = from.stride,
            .ends = ends});
      if (to != expected)
        FAIL("rule " << to_string(game) << ", " << from.num_rows << " rows of " << num_words
                     << " words, kernel " << number << " of all_of, repeat " << repeat << ", seed "
                     << seed);
      ++number;
    }
  }
}
