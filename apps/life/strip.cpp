#include "strip.hpp"

#include "scratch_rows.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace life {
namespace {

/// True if rows are words of 64 cells up to the board's right border, where a torus begins anew with
/// a whole word.
bool has_whole_words(block const& of) {
  packing const& row = of.layout.row;
  return row.cells_per_word == bits_of_word &&
         (row.cells_of_last() == bits_of_word || of.where.topology == topology::plane);
}

/// A part of a block in the memory of the calling thread.
class strip {
public:
  strip(block const& of, seam::box<2> const& part, int generations)
      : of_(of),
        part_(part),
        generations_(generations),
        first_word_(of.first[1] + part.lo[1]),
        own_cells_((part.extent(1) - 1) * row_packing().cells_per_word +
                   cells_of(part.extent(1) - 1)),
        own_words_((own_cells_ - 1) / bits_of_word + 1),
        rows_(part.extent(0) + 2 * generations, own_words_ + 2),
        inside_(rows_inside()) {}

  void load() {
    std::int64_t const reach = of_.layout.reach;
    for (std::int64_t k = 0; k < rows_.num_rows(); ++k)
      load_row(of_.now.row({part_.lo[0] - generations_ + k, part_.lo[1] - reach},
                           part_.extent(1) + 2 * reach) +
                   reach,
               rows_.row(k));
  }

  void advance(kernel const& game) {
    rows_.advance(game, generations_, inside_.first, inside_.second, borders_of_part());
  }

  void store() const {
    for (std::int64_t row = 0; row < part_.extent(0); ++row)
      store_row(rows_.row(generations_ + row),
                of_.next.row({part_.lo[0] + row, part_.lo[1]}, part_.extent(1)));
  }

private:
  packing const& row_packing() const { return of_.layout.row; }
  bool is_plane() const { return of_.where.topology == topology::plane; }

  /// Cells of a word of the strip, or beside it.
  int cells_of(std::int64_t number) const { return row_packing().cells_of(first_word_ + number); }

  /// The rows that are on the board: a plane's cells beyond its borders stay dead.
  std::pair<std::int64_t, std::int64_t> rows_inside() const {
    std::int64_t const first_row = of_.first[0] + part_.lo[0] - generations_;
    if (!is_plane())
      return {0, rows_.num_rows()};
    return {std::max<std::int64_t>(0, -first_row),
            std::min(rows_.num_rows(), of_.where.height - first_row)};
  }

  borders borders_of_part() const {
    std::int64_t const before_last = (own_words_ - 1) * bits_of_word;
    return {.left = is_plane() && first_word_ == 0,
            .right = is_plane() && first_word_ + part_.extent(1) == row_packing().num_words(),
            .last = own_words_,
            .cells_of_last = first_cells(own_cells_ - before_last)};
  }

  void load_row(word const* words, word* to) const {
    std::int64_t const num_own = part_.extent(1);
    if (has_whole_words(of_)) {
      std::copy_n(words - 1, num_own + 2, to);
      std::fill(to + num_own + 2, to + rows_.num_words(), word{0});
      return;
    }
    to[0] = cells_before(words);
    std::int64_t const full = row_packing().cells_per_word == bits_of_word ? num_own - 1 : 0;
    std::copy_n(words, full, to + 1);
    std::fill(to + 1 + full, to + rows_.num_words(), word{0});
    std::int64_t at = (1 + full) * bits_of_word;
    std::int64_t const end = bits_of_word + own_cells_ + generations_;
    for (std::int64_t k = full; k < num_own + of_.layout.reach && at < end; at += cells_of(k++))
      put_cells(words[k], to, at);
  }

  /// The cells before the first one of a row, which lie in up to `reach` words.
  word cells_before(word const* words) const {
    word before = 0;
    int at = bits_of_word;
    for (int k = 1; k <= of_.layout.reach && at > 0; ++k) {
      at -= cells_of(-k);
      before |= at >= 0 ? words[-k] << at : words[-k] >> -at;
    }
    return before;
  }

  static void put_cells(word cells, word* to, std::int64_t at) {
    std::int64_t const number = at / bits_of_word, bit = at % bits_of_word;
    to[number] |= cells << bit;
    if (bit > 0)
      to[number + 1] |= cells >> (bits_of_word - bit);
  }

  void store_row(word const* from, word* words) const {
    std::int64_t const num_own = part_.extent(1), last = num_own - 1;
    if (row_packing().cells_per_word == bits_of_word)
      std::copy_n(from + 1, num_own, words);
    else
      for (std::int64_t k = 0; k < num_own; ++k)
        words[k] = cells_at(from, bits_of_word + k * row_packing().cells_per_word) &
                   first_cells(row_packing().cells_per_word);
    words[last] &= first_cells(cells_of(last));
  }

  static word cells_at(word const* from, std::int64_t at) {
    std::int64_t const number = at / bits_of_word, bit = at % bits_of_word;
    return from[number] >> bit | (bit > 0 ? from[number + 1] << (bits_of_word - bit) : 0);
  }

  block const& of_;
  seam::box<2> part_;
  int generations_;
  std::int64_t first_word_, own_cells_, own_words_;
  scratch_rows rows_;
  std::pair<std::int64_t, std::int64_t> inside_;
};

/// True if the next generation can be computed from field to field: no bits of a word have to stay 0.
bool fits_kernels(block const& of, seam::box<2> const& part) {
  packing const& row = of.layout.row;
  bool const has_last = of.first[1] + part.hi[1] == row.num_words();
  return part.extent(1) >= words_of_vector && has_whole_words(of) &&
         (!has_last || row.cells_of_last() == bits_of_word);
}

/// Computes the next generation from field to field.
void advance_in_fields(block const& of, seam::box<2> const& part, kernel const& game) {
  constexpr std::int64_t num_beside = 1;
  std::int64_t const num_rows = part.extent(0), num_words = part.extent(1);
  std::array<word const*, 2> above{};
  for (std::int64_t row = num_rows; row >= -1; --row)
    above = {of.now.row({part.lo[0] + row, part.lo[1] - num_beside}, num_words + 2 * num_beside),
             above[0]};
  word* to = nullptr;
  for (std::int64_t row = num_rows - 1; row >= 0; --row)
    to = of.next.row({part.lo[0] + row, part.lo[1]}, num_words);
  game({.from = above[1] + num_beside,
        .to = to,
        .num_rows = num_rows,
        .num_words = num_words,
        .stride = above[1] - above[0],
        .ends = {}});
}

} // namespace

void advance_strip(block const& of, seam::box<2> const& part, kernel const& game, int generations) {
  if (generations == 1 && fits_kernels(of, part))
    return advance_in_fields(of, part, game);
  strip cells(of, part, generations);
  cells.load();
  cells.advance(game);
  cells.store();
}

} // namespace life
