#include "plane.hpp"

#include "generation.hpp"
#include "scratch_rows.hpp"

#include <seam/sum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace life {
namespace {

constexpr std::int64_t depth = generation::most_depth; ///< rows of zones, and generations of a turn

// Tiles are forgotten now and then, which takes a look at all of them.
constexpr std::int64_t turns_between_sweeps = 64;

word const* row_of(tile const& of, std::int64_t row) {
  return of.now().data() + row * words_of_tile;
}

/// Copies a row of a tile, and a word of each tile beside it.
/// @param down  the tiles above are -1, those below 1
void load_row(tile const& of, int down, std::int64_t row, word* to) {
  to[0] = row_of(of.around(down, -1), row)[words_of_tile - 1];
  std::copy_n(row_of(of.around(down, 0), row), words_of_tile, to + 1);
  to[1 + words_of_tile] = row_of(of.around(down, 1), row)[0];
}

/// Puts the rows of the next generations into a tile, and finds what has changed.
zones store(scratch_rows const& rows, int generations, tile& to) {
  constexpr std::integral_constant<std::int64_t, words_of_tile> num_words;
  word_columns first, middle, last;
  for (std::int64_t row = 0; row < rows_of_tile; ++row) {
    word const* const from = rows.row(generations + row) + 1;
    word_columns& columns = row < depth ? first : row < rows_of_tile - depth ? middle : last;
    columns.add(row_of(to, row), from, num_words);
    std::copy_n(from, words_of_tile, to.next().data() + row * words_of_tile);
  }
  zones const ends = first.in_row(-1, words_of_tile, 1) | last.in_row(1, words_of_tile, 1);
  middle.add(first);
  middle.add(last);
  return ends | middle.in_row(0, words_of_tile, 1);
}

/// Computes the next cells of a tile; the state of others is not read.
void advance_tile(tile& of, int generations, kernel const& game) {
  scratch_rows rows(rows_of_tile + 2 * generations, words_of_tile + 2);
  for (std::int64_t k = 0; k < rows.num_rows(); ++k) {
    std::int64_t const row = k - generations;
    int const down = row < 0 ? -1 : row < rows_of_tile ? 0 : 1;
    load_row(of, down, row - down * rows_of_tile, rows.row(k));
  }
  rows.advance(game, generations, 0, rows.num_rows(), {});
  of.state = store(rows, generations, of);
}

/// What faces a tile, and its own state.
zones around(tile const& of) {
  zones all = 0;
  for (int row = -1; row <= 1; ++row)
    for (int column = -1; column <= 1; ++column)
      all |= facing(of.around(row, column).state, -row, -column);
  return all;
}

/// What one rank tells another of a tile; its rows follow unless all is 0.
struct tile_news {
  tile_index at;
  zones state;
};

/// Refuses to go on when memory is short, as Linux tells, rather than be killed for it.
void require_memory(std::int64_t num_tiles) {
  constexpr std::int64_t parts = 16;
  std::ifstream file("/proc/meminfo");
  std::map<std::string, std::int64_t> kibibytes;
  for (std::string name, rest; file >> name && std::getline(file, rest);)
    kibibytes[name] = std::strtoll(rest.c_str(), nullptr, 10);
  if (kibibytes["MemAvailable:"] * parts < kibibytes["MemTotal:"])
    seam::refuse(
        fmt::format("{} tiles of {}x{} cells with less than a {}th of the memory left (expected a "
                    "pattern that grows less, or --size)",
                    num_tiles, columns_of_tile, rows_of_tile, parts));
}

} // namespace

plane::plane(seam::Communicator const& over)
    : over_(over.base()), tiles_(over.rank(), over.size()), exchange_(over_) {}

void plane::set(run_of_cells const& run) {
  std::int64_t const end = run.column + run.length;
  for (std::int64_t at = run.column; at < end;) {
    tile_index const where{quotient(run.row, rows_of_tile), quotient(at, columns_of_tile)};
    std::int64_t const first = where.column * columns_of_tile;
    std::int64_t const last = std::min(end, first + columns_of_tile);
    if (tiles_.owner_of(where) == over_.rank()) {
      tile& to = tiles_.at(where);
      word* const words = to.now().data() + (run.row - where.row * rows_of_tile) * words_of_tile;
      for_each_word({.width = columns_of_tile}, at - first, last - first,
                    [&](std::int64_t number, word bits) { words[number] |= bits; });
      to.state = all_zones;
    }
    at = last;
  }
}

void plane::run(std::int64_t count, kernel const& game) {
  while (count > 0) {
    auto const generations = std::min(depth, count);
    advance(static_cast<int>(generations), game);
    count -= generations;
  }
}

void plane::advance(int generations, kernel const& game) {
  if (over_.size() > 1) {
    tell_readers();
    exchange_.exchange();
    hear_owners();
  }
  tiles_.surround();
  wake(generations);
  auto const compute = [&](seam::box<1> const& some) {
    advance_tile(*awake_[some.lo[0]], generations, game);
  };
  if (each_awake_.size() > 1)
    seam::for_each_tile(each_awake_, compute);
  else // less than threads cost
    std::ranges::for_each(each_awake_, compute);
  for (tile* const of : awake_)
    of->present = 1 - of->present;
  last_generations_ = generations;
  if (++num_turns_ % turns_between_sweeps == 0) {
    tiles_.forget_empty();
    seam::collectively(over_, [&] { require_memory(std::ssize(tiles_.all())); });
  }
}

void plane::tell_readers() {
  for (tile* const of : tiles_.all())
    for (tile_reader& reader : of->readers) {
      zones const state = of->state & reader.asked;
      if (state == reader.told && (state & all_changed) == 0)
        continue;
      reader.told = state;
      exchange_.pack(reader.rank, tile_news{of->at, state});
      if (state != 0)
        exchange_.pack_bytes(reader.rank, std::as_bytes(std::span(of->now())));
    }
}

void plane::hear_owners() {
  while (exchange_.receive()) {
    auto const news = exchange_.unpack<tile_news>();
    tile& of = tiles_.at(news.at);
    of.state = news.state;
    of.now() = {};
    if (news.state != 0)
      std::ranges::copy(exchange_.unpack_bytes(sizeof(tile::rows)),
                        std::as_writable_bytes(std::span(of.now())).begin());
  }
}

void plane::wake(int generations) {
  bool const comes_again = last_generations_ > 0 && generations % last_generations_ == 0;
  awake_.clear();
  for (tile* const of : tiles_.all())
    if (of->is_own && !rests(around(*of), comes_again, false))
      awake_.push_back(of);
  each_awake_.clear();
  for (std::int64_t number = 0; number < std::ssize(awake_); ++number)
    each_awake_.push_back({{number}, {number + 1}});
}

std::vector<tile const*> plane::own_tiles() const {
  std::vector<tile const*> own;
  for (tile const* const of : tiles_.all())
    if (of->is_own)
      own.push_back(of);
  return own;
}

void check_room(pattern const& start) {
  constexpr std::int64_t most = (std::int64_t{1} << 32) / (rows_of_tile * columns_of_tile);
  std::set<std::pair<std::int64_t, std::int64_t>> tiles;
  for (run_of_cells const& run : start.alive) {
    std::int64_t const last = (run.column + run.length - 1) / columns_of_tile;
    for (std::int64_t column = run.column / columns_of_tile; column <= last; ++column) {
      tiles.insert({run.row / rows_of_tile, column});
      if (std::ssize(tiles) > most)
        seam::refuse(fmt::format("a pattern of more than {} tiles of {}x{} cells (expected at most "
                                 "so many with live cells on an unbounded plane)",
                                 most, columns_of_tile, rows_of_tile));
    }
  }
}

void plane::take(std::vector<tile_cells> const& brought) {
  for (tile_cells const& some : brought)
    exchange_.pack(tiles_.owner_of(some.at), some);
  exchange_.exchange();
  tiles_ = tile_map(over_.rank(), over_.size());
  while (exchange_.receive()) {
    auto const some = exchange_.unpack<tile_cells>();
    tile& to = tiles_.at(some.at);
    to.now() = some.cells;
    to.state = all_zones;
  }
  last_generations_ = 0;
}

void put(pattern const& start, plane& cells) {
  for (run_of_cells const& run : start.alive)
    cells.set(run);
}

std::int64_t population(plane const& cells) {
  std::int64_t count = 0;
  for (tile const* const of : cells.own_tiles())
    for (word const some : of->now())
      count += std::popcount(some);
  return seam::sum(cells.base().context(), count);
}

std::optional<cell_box> extent(plane const& cells) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  cell_box own{{most, most}, {-most, -most}};
  for (tile const* const of : cells.own_tiles())
    for_each_run(*of, [&](run_of_cells const& run) {
      own.lo = {std::min(own.lo[0], run.row), std::min(own.lo[1], run.column)};
      own.hi = {std::max(own.hi[0], run.row + 1), std::max(own.hi[1], run.column + run.length)};
    });
  auto const over = cells.base().context();
  auto const [top, left] = seam::minimum(over, own.lo[0], own.lo[1]);
  auto const [below, right] = seam::maximum(over, own.hi[0], own.hi[1]);
  if (top >= below)
    return {};
  return cell_box{{top, left}, {below, right}};
}

pattern gather(plane const& cells) {
  auto const box = extent(cells);
  if (!box)
    return {};
  std::vector<run_of_cells> own;
  for (tile const* const of : cells.own_tiles())
    for_each_run(*of, [&](run_of_cells const& run) {
      own.push_back({run.row - box->lo[0], run.column - box->lo[1], run.length});
    });
  seam::SparseExchange exchange(cells.base());
  exchange.pack(0, own);
  exchange.exchange();
  pattern all;
  if (cells.base().rank() != 0)
    return all;
  all.width = box->extent(1);
  all.height = box->extent(0);
  std::vector<run_of_cells> found;
  while (exchange.receive()) {
    auto const some = exchange.unpack<std::vector<run_of_cells>>();
    found.insert(found.end(), some.begin(), some.end());
  }
  std::ranges::sort(found, {},
                    [](run_of_cells const& run) { return std::pair(run.row, run.column); });
  for (run_of_cells const& run : found)
    add(all.alive, run);
  return all;
}

} // namespace life
