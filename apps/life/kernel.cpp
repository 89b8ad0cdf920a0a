#include "kernel.hpp"

#include "columns.hpp"

namespace life {
namespace {

/// A coefficient is the sum of the values at all parts of its digits.
polynomial polynomial_of(unsigned counts) {
  polynomial made{};
  word* const p = made.coefficients;
  for (unsigned n = 0; n < 8; ++n)
    for (unsigned part = 0; part < 8; ++part)
      if ((part & ~n) == 0 && (counts >> part & 1) != 0)
        p[n] = ~p[n];
  if (((counts ^ counts >> 8) & 1) != 0)
    p[8] = ~word{0};
  return made;
}

rule_kind kind_of(rule const& game) {
  if (game == rule{})
    return rule_kind::conway;
  bool const is_one = game.birth == 0 || game.survival == 0 || game.birth == game.survival;
  return is_one ? rule_kind::one_polynomial : rule_kind::any;
}

/// Clears what lies beyond borders.
void keep_dead(word* row, borders const& ends) {
  if (ends.left)
    row[0] = 0;
  if (ends.right) {
    row[ends.last] &= ends.cells_of_last;
    row[ends.last + 1] = 0;
  }
}

} // namespace

rule_forms forms_of(rule const& game) {
  return {kind_of(game), polynomial_of(game.birth), polynomial_of(game.birth ^ game.survival)};
}

kernel::kernel(rule const& game) : kernel(all_of(game).front()) {}

std::vector<kernel> kernel::all_of(rule const& game) {
  std::vector<kernel> all;
  auto const add = [&](function advance) {
    rule_forms forms = forms_of(game);
    all.push_back({advance, forms});
    if (forms.kind != rule_kind::any) {
      forms.kind = rule_kind::any;
      all.push_back({advance, forms});
    }
  };
#ifdef LIFE_HAS_WIDE_KERNELS
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0)
    add(avx512_vbmi2::advance);
  if (__builtin_cpu_supports("avx512f") != 0)
    add(avx512::advance);
  if (__builtin_cpu_supports("avx2") != 0)
    add(avx2::advance);
#endif
  add(baseline::advance);
  return all;
}

void kernel::operator()(word_rows const& rows) const {
  advance_(rows, forms_);
  if (rows.ends.left || rows.ends.right)
    for (std::int64_t row = 0; row < rows.num_rows; ++row)
      keep_dead(rows.to + row * rows.stride, rows.ends);
}

} // namespace life
