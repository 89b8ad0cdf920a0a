/// Rows of words, as kernels take them: cells of one generation, and where those of the next go.
#pragma once

#include <cstdint>

namespace life {

using word = std::uint64_t;

/// Rows have at least so many words.
constexpr std::int64_t words_of_vector = 8;

/// Rows that end at borders, beyond which cells stay dead.
struct borders {
  bool left = false;     ///< word 0 lies beyond
  bool right = false;    ///< words behind `last` lie beyond
  std::int64_t last = 0; ///< word of a row
  word cells_of_last = ~word{0};
};

struct word_rows {
  word const* from; ///< [num_rows][stride]; the row before and the row behind are read, too
  word* to;         ///< as `from`
  std::int64_t num_rows;
  std::int64_t num_words; ///< at least words_of_vector; the words before and behind are read
  std::int64_t stride;    ///< from row to row [words]
  borders ends;
};

} // namespace life
