/// Packings: how the cells of a board lie in words, the k-th cell of a word in its k-th bit.
///
///     cells   | 0 1 2 ... 63 | 64 65 ... 127 | 128 129 |      a row of 130 cells
///     words   |      0       |       1       |    2    |      other bits of the last one are 0
#pragma once

#include "pattern.hpp"
#include "word_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace life {

constexpr int bits_of_word = 64;

/// The bits of the first `count` cells of a word, 0 to 64.
constexpr word first_cells(std::int64_t count) {
  return count < bits_of_word ? (word{1} << count) - 1 : ~word{0};
}

/// The words of a row of cells. A plain value.
struct packing {
  std::int64_t width = 1; ///< of a row [cells]
  int cells_per_word =
      bits_of_word; ///< of all words but the last one of a row, which may have fewer

  std::int64_t num_words() const { return (width - 1) / cells_per_word + 1; }
  int cells_of_last() const { return static_cast<int>(width - (num_words() - 1) * cells_per_word); }

  /// Cells of a word. Words before 0 and behind the last are those of a row that begins anew.
  int cells_of(std::int64_t number) const {
    return (number + 1) % num_words() == 0 ? cells_of_last() : cells_per_word;
  }
};

/// Calls visit(number, bits) for the words of the cells `begin` to `end` - 1 of a row.
/// Local.
template <class Visit>
void for_each_word(packing const& row, std::int64_t begin, std::int64_t end, Visit const& visit) {
  while (begin < end) {
    std::int64_t const number = begin / row.cells_per_word, first = begin % row.cells_per_word;
    std::int64_t const count = std::min(row.cells_per_word - first, end - begin);
    visit(number, first_cells(count) << first);
    begin += count;
  }
}

/// Calls visit(bit, length) for each run of live cells of a word.
/// Local.
template <class Visit>
void for_each_run_of_word(word cells, Visit const& visit) {
  int bit = 0;
  while (cells != 0) {
    int const dead = std::countr_zero(cells), length = std::countr_one(cells >> dead);
    visit(bit + dead, length);
    bit += dead + length;
    cells = dead + length < bits_of_word ? cells >> (dead + length) : 0;
  }
}

/// How a board is divided among ranks, and how far its ghosts reach. The same on all ranks.
struct layout {
  packing row;
  std::array<int, 2> processes{}; ///< on each axis; 0: they cannot be
  int depth = 1;                  ///< generations between two exchanges, and rows of ghosts
  int reach = 1;                  ///< words of ghosts to the left and to the right
};

/// Chooses words of 64 cells, and as many generations between exchanges as blocks are thick, at
/// most `most_depth`. If there are fewer such words than ranks, words have fewer cells.
/// Local.
layout choose_layout(int num_ranks, board const& where, int most_depth);

} // namespace life
