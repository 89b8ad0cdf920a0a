/// Tiles of an unbounded plane: those in which cells live or may live soon are in memory, all others
/// are dead.
///
///     | -1,-1 | -1,0 | -1,1 |      tile (0, 0) begins with the pattern's upper left corner
///     |  0,-1 |  0,0 |  0,1 |
#pragma once

#include "zones.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace life {

constexpr std::int64_t rows_of_tile = 128;
constexpr std::int64_t words_of_tile = 6; ///< with a word on each side they are a vector
constexpr std::int64_t columns_of_tile = words_of_tile * bits_of_word;

/// The quotient of two numbers, rounded down.
constexpr std::int64_t quotient(std::int64_t number, std::int64_t by) {
  return number >= 0 ? number / by : -((-number - 1) / by) - 1;
}

struct tile_index {
  std::int64_t row, column;

  friend bool operator==(tile_index const&, tile_index const&) = default;
};

/// The tile beside another one.
/// @param row, column  the direction, each -1, 0 or 1
constexpr tile_index beside(tile_index const& at, int row, int column) {
  return {at.row + row, at.column + column};
}

/// Another rank that computes tiles beside one.
struct tile_reader {
  int rank;
  zones asked;    ///< the zones that face its tiles
  zones told = 0; ///< what it knows of them
};

/// Some rows of words, of this rank or of another one, as it was told by that one.
struct tile {
  using rows = std::array<word, rows_of_tile * words_of_tile>;

  rows& now() noexcept { return cells[present]; }
  rows const& now() const noexcept { return cells[present]; }
  rows& next() noexcept { return cells[1 - present]; }

  /// The tile beside it, or one of dead cells; itself for (0, 0).
  tile const& around(int row, int column) const { return *neighbors[number_of_zone(row, column)]; }

  tile_index at{};
  bool is_own = false;
  int present = 0;
  zones state = 0; ///< after the last generations
  std::array<rows, 2> cells{};
  std::array<tile*, num_zones> neighbors{};
  std::vector<tile_reader> readers; ///< of an own tile
};

/// A tile as it is sent and stored.
struct tile_cells {
  tile_index at;
  tile::rows cells;
};

/// The tiles that one rank has. Regions of tiles belong to ranks in an order without a pattern, so
/// that whatever grows is soon on all of them.
/// Local: all members.
/// Threads: one at a time.
class tile_map {
public:
  tile_map(int rank, int num_ranks) : rank_(rank), num_ranks_(num_ranks) {}

  int owner_of(tile_index const& at) const;

  /// Finds a tile, or adds one of dead cells.
  tile& at(tile_index const& where);

  /// Adds those own tiles into which cells of others may grow in the next generations.
  void surround();

  /// Forgets dead tiles into which nothing can grow.
  void forget_empty();

  /// In any order, the same until tiles are added or forgotten.
  std::vector<tile*> const& all() const noexcept { return all_; }

private:
  struct hash {
    std::size_t operator()(tile_index const& at) const noexcept;
  };
  tile* find(tile_index const& where) const;
  void add_readers(tile& own) const;
  void connect(tile& added);
  void disconnect(tile const& forgotten);

  int rank_, num_ranks_;
  std::unordered_map<tile_index, std::unique_ptr<tile>, hash> tiles_;
  std::vector<tile*> all_;
  std::unique_ptr<tile> dead_ = std::make_unique<tile>();
};

} // namespace life
