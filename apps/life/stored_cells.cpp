#include "stored_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace life {
namespace {

using seam::byte_window;
using seam::run_visitor;

/// The rows of cells that a rank has, as bytes.
class rows_of_bytes {
public:
  explicit rows_of_bytes(generation* of) : of_(of) {
    auto const owned = of->grid().owned();
    row_ = of->layout().row;
    first_row_ = owned.lo[0];
    num_rows_ = owned.extent(0);
    first_ = owned.lo[1] * row_.cells_per_word;
    length_ = std::min(row_.width, owned.hi[1] * row_.cells_per_word) - first_;
  }

  /// Visits the runs in a window: of one row at a time when they are written, of all rows, which are
  /// kept until keep(), when they are read.
  void visit(byte_window window, bool reading, run_visitor const& visitor) {
    bytes_.resize(reading ? num_rows_ * length_ : length_);
    for (std::int64_t row = 0; row < num_rows_; ++row) {
      std::int64_t const at = (first_row_ + row) * row_.width + first_;
      std::int64_t const from = std::max(at, window.begin);
      std::int64_t const to = std::min(at + length_, window.end);
      if (from >= to)
        continue;
      std::byte* const bytes = bytes_.data() + (reading ? row * length_ : 0);
      if (!reading)
        unpack(row, bytes);
      visitor({from, bytes + (from - at), to - from});
    }
  }

  /// Takes over the cells that have been read.
  void keep() {
    for (std::int64_t row = 0; row < num_rows_; ++row)
      pack(row, bytes_.data() + row * length_);
    bytes_ = {};
  }

private:
  void unpack(std::int64_t row, std::byte* bytes) const {
    auto const words = std::as_const(*of_).now().view();
    for_each_cell([&](std::int64_t cell, std::int64_t number, int bit) {
      bytes[cell] = static_cast<std::byte>(words(row, number) >> bit & 1);
    });
  }
  void pack(std::int64_t row, std::byte const* bytes) const {
    auto const words = of_->now().view();
    for_each_cell([&](std::int64_t cell, std::int64_t number, int bit) {
      word& to = words(row, number);
      to = (bit == 0 ? 0 : to) | static_cast<word>(bytes[cell] != std::byte{0}) << bit;
    });
  }
  template <class Visit>
  void for_each_cell(Visit const& visit) const {
    for (std::int64_t cell = 0; cell < length_; ++cell)
      visit(cell, cell / row_.cells_per_word, static_cast<int>(cell % row_.cells_per_word));
  }

  generation* of_;
  packing row_;
  std::int64_t first_row_, num_rows_, first_, length_;
  std::vector<std::byte> bytes_;
};

constexpr std::int64_t words_of_row = sizeof(tile_cells) / sizeof(word);

/// The tiles of a plane as rows of words: where a tile is, and its cells.
class rows_of_tiles {
public:
  explicit rows_of_tiles(plane* of) : of_(of) {}

  /// Collects the tiles with live cells of this moment; all ranks' are in the order of their places.
  /// Collective: over the plane's ranks.
  std::int64_t collect() {
    std::vector<tile_cells> own;
    std::vector<seam::global_id> keys;
    for (tile const* const some : of_->own_tiles())
      if (std::ranges::any_of(some->now(), [](word cells) { return cells != 0; })) {
        own.push_back({some->at, some->now()});
        keys.push_back(key_of(some->at));
      }
    auto const bytes = std::as_bytes(std::span(own));
    bytes_ = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    auto const at = seam::find_row_positions(of_->base(), keys);
    rows_ = seam::stored_rows("tiles", at, bytes_, words_of_row, format());
    return at->total;
  }

  void make_room(std::int64_t num_rows) {
    bytes_ = std::make_shared<std::vector<std::byte>>();
    rows_ = seam::rows_to_read(of_->base(), "tiles", num_rows, bytes_, words_of_row, format());
  }

  void visit(byte_window window, bool reading, run_visitor const& visitor) const {
    rows_.visit_runs(window, reading, visitor);
  }

  /// Takes over the tiles that have been read.
  /// Collective: over the plane's ranks.
  void keep() {
    std::vector<tile_cells> read(bytes_->size() / sizeof(tile_cells));
    std::ranges::copy(*bytes_, std::as_writable_bytes(std::span(read)).begin());
    of_->take(read);
    make_room(0);
  }

  static seam::element_format format() { return seam::element_format_of<word>(); }

private:
  static seam::global_id key_of(tile_index const& at) {
    constexpr std::int64_t half = std::int64_t{1} << 30;
    return (at.row + half) << 32 | (at.column + half);
  }

  plane* of_;
  std::shared_ptr<std::vector<std::byte>> bytes_;
  seam::stored_array rows_;
};

} // namespace

seam::stored_array stored(stored_tiles const& tiles) {
  auto const rows = std::make_shared<rows_of_tiles>(tiles.of);
  return {
      .name = "tiles",
      .identity = fmt::format("tiles of {}x{} cells of an unbounded plane, each in {} words",
                              columns_of_tile, rows_of_tile, words_of_row),
      .element = rows_of_tiles::format(),
      .extents = {0, words_of_row},
      .visit_runs = [rows](byte_window window, bool reading,
                           run_visitor const& visitor) { rows->visit(window, reading, visitor); },
      .loaded = [rows] { rows->keep(); },
      .measure = [rows](seam::stored_array& array) { array.extents[0] = rows->collect(); },
      .make_room =
          [rows](seam::stored_array& array, std::int64_t bytes) {
            array.extents[0] = bytes / static_cast<std::int64_t>(sizeof(tile_cells));
            rows->make_room(array.extents[0]);
          }};
}

seam::stored_array stored(stored_cells const& cells) {
  board const& where = cells.of->where();
  auto const rows = std::make_shared<rows_of_bytes>(cells.of);
  return {
      .name = "now",
      .identity =
          fmt::format("uint8 on the cells of a grid of {}x{} cells, {}, 1 components, 1 "
                      "levels",
                      where.height, where.width,
                      where.topology == topology::torus ? "periodic on axes 0 1" : "not periodic"),
      .element = seam::element_format_of<std::uint8_t>(),
      .extents = {where.height, where.width},
      .visit_runs = [rows](byte_window window, bool reading,
                           run_visitor const& visitor) { rows->visit(window, reading, visitor); },
      .loaded = [rows] { rows->keep(); }};
}

} // namespace life
