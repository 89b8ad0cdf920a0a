#include "kernel.hpp"

#include "row_logic.hpp"

#include <type_traits>
#include <utility>

namespace life {
namespace {

/// Sums of a row: [num_words] each.
struct row_of_sums {
  word *ones, *twos;

  KOKKOS_FORCEINLINE_FUNCTION sums operator[](std::int64_t w) const { return {ones[w], twos[w]}; }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::int64_t w, sums const& value) const {
    ones[w] = value.ones;
    twos[w] = value.twos;
  }
};

/// The sums of the row above, of the row itself, and of the row below.
struct three_rows {
  row_of_sums above, beside, below;

  explicit three_rows(word_rows const& rows)
      : above(row(rows, 0)), beside(row(rows, 2)), below(row(rows, 4)) {}

  void move_down() {
    std::swap(above, beside);
    std::swap(beside, below);
  }

private:
  static row_of_sums row(word_rows const& rows, std::int64_t first) {
    return {rows.sums + first * rows.num_words, rows.sums + (first + 1) * rows.num_words};
  }
};

KOKKOS_FORCEINLINE_FUNCTION void sum_row(word const* row, row_of_sums to, std::int64_t num_words) {
#pragma GCC ivdep
  for (std::int64_t w = 0; w < num_words; ++w)
    to.set(w, sums_along(row + w));
}

/// Computes a row of the next generation, and on the way the sums of the row below.
template <class Game>
struct row_by_logic {
  Game game;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(word const* row, word const* row_below,
                                              three_rows const along, word* to,
                                              std::int64_t num_words) const {
    Game const next = game; // which no store changes
#pragma GCC ivdep
    for (std::int64_t w = 0; w < num_words; ++w) {
      sums const below = sums_along(row_below + w);
      along.below.set(w, below);
      to[w] = next(row[w], along.above[w], without(row[w], along.beside[w]), below);
    }
  }
};

/// Computes such a row by a program of row_logic.
struct row_by_code {
  machine_code const& code;

  void operator()(word const* row, word const* row_below, three_rows const& along, word* to,
                  std::int64_t num_words) const {
    code({{row, row_below, along.above.ones, along.beside.ones, along.below.ones, to},
          along.above.twos - along.above.ones,
          num_words});
  }
};

KOKKOS_FORCEINLINE_FUNCTION void keep_dead(word* row, borders const& ends) {
  if (ends.left)
    row[0] = 0;
  if (ends.right) {
    row[ends.last] &= ends.cells_of_last;
    row[ends.last + 1] = 0;
  }
}

template <class Row>
KOKKOS_FORCEINLINE_FUNCTION void advance_rows(word_rows const& rows, Row const advance_row) {
  std::int64_t const num_words = rows.num_words / words_of_vector * words_of_vector;
  three_rows along(rows);
  sum_row(rows.from - rows.stride, along.above, num_words);
  sum_row(rows.from, along.beside, num_words);
  for (std::int64_t r = 0; r < rows.num_rows; ++r) {
    word const* const row = rows.from + r * rows.stride;
    word* const to = rows.to + r * rows.stride;
    advance_row(row, row + rows.stride, along, to, num_words);
    keep_dead(to, rows.ends);
    along.move_down();
  }
}

template <class Game>
KOKKOS_FORCEINLINE_FUNCTION void advance_by_logic(word_rows const& rows, rule_forms const& of) {
  if constexpr (std::is_same_v<Game, any_rule>)
    advance_rows(rows, row_by_logic<Game>{of.polynomials});
  else
    advance_rows(rows, row_by_logic<Game>{});
}

void by_code(word_rows const& rows, rule_forms const& of) {
  advance_rows(rows, row_by_code{*of.code});
}

// One source, compiled for several kinds of processors. Which one this is, the program finds out.
template <class Game>
void by_baseline(word_rows const& rows, rule_forms const& of) {
  advance_by_logic<Game>(rows, of);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LIFE_HAS_VARIANTS

template <class Game>
[[gnu::target("avx2")]] void by_avx2(word_rows const& rows, rule_forms const& of) {
  advance_by_logic<Game>(rows, of);
}

template <class Game>
[[gnu::target("avx512f,avx512vl,prefer-vector-width=512")]] void by_avx512(word_rows const& rows,
                                                                           rule_forms const& of) {
  advance_by_logic<Game>(rows, of);
}
#endif

} // namespace

any_rule in_polynomials(rule const& game) {
  auto const polynomial_of = [](unsigned counts) {
    polynomial of{};
    for (unsigned n = 0; n < 8;
         ++n) // a coefficient is the sum of values at all parts of its digits
      for (unsigned part = 0; part < 8; ++part)
        if ((part & ~n) == 0 && (counts >> part & 1) != 0)
          of.p[n] = ~of.p[n];
    if (((counts ^ counts >> 8) & 1) != 0)
      of.p[8] = ~word{0};
    return of;
  };
  return {polynomial_of(game.birth), polynomial_of(game.birth ^ game.survival)};
}

std::vector<kernel> kernel::all_of(rule const& game) {
  rule_forms const forms{in_polynomials(game), machine_code::of(row_logic(game))};
  std::vector<kernel> all;
  auto const add = [&](function special, function general) {
    if (game == rule{})
      all.push_back({special, forms});
    all.push_back({general, forms});
  };
#ifdef LIFE_HAS_VARIANTS
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0)
    add(by_avx512<conway>, by_avx512<any_rule>);
#endif
  if (forms.code)
    all.push_back({by_code, forms});
#ifdef LIFE_HAS_VARIANTS
  if (__builtin_cpu_supports("avx2") != 0)
    add(by_avx2<conway>, by_avx2<any_rule>);
#endif
  add(by_baseline<conway>, by_baseline<any_rule>);
  return all;
}

} // namespace life
