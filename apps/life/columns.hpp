/// Columns: the next generation of rows of words, in columns as wide as a vector. Sums along rows stay
/// in registers from row to row.
///
///     | column 0 | column 1 | column 2 |
///                      | last column   |    covers words of the one before where they are no multiple
#pragma once

#include "polynomials.hpp"

namespace life {

/// The cells of a row in a column, and their sums along the row.
template <class Vector>
struct row_of_column {
  typename Vector::value cells;
  sums<Vector> along;

  LIFE_INLINE explicit row_of_column(word const* at)
      : cells(Vector::load(at)), along(sums_along<Vector>(at)) {}
};

/// A column of rows, from the first one downwards.
template <class Vector, class Game>
struct column {
  using row = row_of_column<Vector>;

  word const* from; ///< the first word of a row; words around are read, as of word_rows
  word* to;
  std::int64_t stride;
  Game const& game;

  /// Computes a row's next generation, and reads the row below.
  LIFE_INLINE void advance_row(row const& above, row const& here, row& below) {
    from += stride;
    below = row(from);
    Vector::store(to, game(here.cells, above.along, here.along, below.along));
    to += stride;
  }

  /// Three rows in a loop take turns in their registers.
  LIFE_INLINE void advance(std::int64_t num_rows) {
    row first(from - stride), second(from), third = second;
    for (; num_rows >= 3; num_rows -= 3) {
      advance_row(first, second, third);
      advance_row(second, third, first);
      advance_row(third, first, second);
    }
    if (num_rows > 0)
      advance_row(first, second, third);
    if (num_rows > 1)
      advance_row(second, third, first);
  }
};

/// Computes the next generation of all words, in so few rows at a time that the next column finds them
/// in the first cache.
template <class Vector, class Game>
LIFE_INLINE void advance_columns(word_rows const& rows, Game const& game) {
  constexpr std::int64_t most_rows = 128;
  std::int64_t const last = rows.num_words - Vector::num_words;
  for (std::int64_t row = 0; row < rows.num_rows; row += most_rows) {
    std::int64_t const left = rows.num_rows - row, num_rows = left < most_rows ? left : most_rows;
    for (std::int64_t w = 0; w < rows.num_words; w += Vector::num_words) {
      std::int64_t const at = row * rows.stride + (w < last ? w : last);
      column<Vector, Game>{rows.from + at, rows.to + at, rows.stride, game}.advance(num_rows);
    }
  }
}

/// Computes the next generation of all words by the rule.
template <class Vector>
LIFE_INLINE void advance_rows(word_rows const& rows, rule_forms const& of) {
  switch (of.kind) {
  case rule_kind::conway: return advance_columns<Vector>(rows, conway<Vector>());
  case rule_kind::one_polynomial:
    return advance_columns<Vector>(rows, one_polynomial_rule<Vector>(of));
  case rule_kind::any: return advance_columns<Vector>(rows, any_rule<Vector>(of));
  }
}

// The same for each set of instructions, in a source of its own.
namespace baseline {
void advance(word_rows const& rows, rule_forms const& of);
}
namespace avx2 {
void advance(word_rows const& rows, rule_forms const& of);
}
namespace avx512 {
void advance(word_rows const& rows, rule_forms const& of);
}
namespace avx512_vbmi2 {
void advance(word_rows const& rows, rule_forms const& of);
}

} // namespace life
