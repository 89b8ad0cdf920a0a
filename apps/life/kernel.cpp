#include "kernel.hpp"

#include <algorithm>
#include <limits>
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
  three_rows along(rows);
  sum_row(rows.from - rows.stride, along.above, rows.num_words);
  sum_row(rows.from, along.beside, rows.num_words);
  for (std::int64_t r = 0; r < rows.num_rows; ++r) {
    word const* const row = rows.from + r * rows.stride;
    word* const to = rows.to + r * rows.stride;
    advance_row(row, row + rows.stride, along, to, rows.num_words);
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

/// Column by column, in so few rows at a time that the next column finds them in the first cache.
/// The last column covers words of the one before where they are no multiple.
void by_code(word_rows const& rows, rule_forms const& of) {
  constexpr std::int64_t most_rows = 128;
  std::int64_t const width = of.code->num_words();
  for (std::int64_t r = 0; r < rows.num_rows; r += most_rows)
    for (std::int64_t w = 0; w < rows.num_words; w += width) {
      std::int64_t const at = r * rows.stride + std::min(w, rows.num_words - width);
      of.code->advance_column(rows.from + at, rows.to + at, std::min(most_rows, rows.num_rows - r),
                              rows.stride);
    }
  if (rows.ends.left || rows.ends.right)
    for (std::int64_t r = 0; r < rows.num_rows; ++r)
      keep_dead(rows.to + r * rows.stride, rows.ends);
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
  return first_of(game, std::numeric_limits<std::size_t>::max());
}

kernel::kernel(rule const& game) : kernel(first_of(game, 1).front()) {}

std::vector<kernel> kernel::first_of(rule const& game, std::size_t count) {
  rule_forms const forms{in_polynomials(game), nullptr};
  std::vector<kernel> all;
  for (instructions const set : machine_code::all_instructions)
    if (all.size() < count)
      if (auto code = machine_code::of(game, set))
        all.push_back({by_code, {forms.polynomials, std::move(code)}});
  auto const add = [&](function special, function general) {
    if (game == rule{})
      all.push_back({special, forms});
    all.push_back({general, forms});
  };
#ifdef LIFE_HAS_VARIANTS
  if (__builtin_cpu_supports("avx2") != 0)
    add(by_avx2<conway>, by_avx2<any_rule>);
#endif
  add(by_baseline<conway>, by_baseline<any_rule>);
  return all;
}

} // namespace life
