/// Scratch rows: memory of the calling thread in which generations are computed one after another,
/// small enough for its second cache.
#pragma once

#include "kernel.hpp"

#include <cstdint>

namespace life {

/// Rows of cells in words, with cells beside them in word 0 and behind the last word of their own.
///
///     | beside | own cells                  | beside |
///     |   0    |    1   |   2   |  ...               |
///
/// One object for each thread at a time: the next one has the same memory.
class scratch_rows {
public:
  scratch_rows(std::int64_t num_rows, std::int64_t num_words);

  std::int64_t num_rows() const noexcept { return num_rows_; }
  std::int64_t num_words() const noexcept { return num_words_; } ///< of a row
  word* row(std::int64_t number) noexcept { return from_ + number * stride_; }
  word const* row(std::int64_t number) const noexcept { return from_ + number * stride_; }

  /// Computes some generations. With each the rows that are known become one fewer at both ends.
  /// @param begin, end  rows on the board; the others stay dead
  void advance(kernel const& game, int generations, std::int64_t begin, std::int64_t end,
               borders const& ends);

private:
  std::int64_t num_rows_, num_words_, stride_;
  word *from_, *to_;
};

} // namespace life
