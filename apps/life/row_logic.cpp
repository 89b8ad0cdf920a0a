#include "row_logic.hpp"

#include <utility>

namespace life {
namespace {

using pair_of_literals = std::pair<literal, literal>; ///< ones and twos

/// Adds three bits.
pair_of_literals add(logic& to, literal first, literal second, literal third) {
  literal const differ = to.differ(first, second);
  return {to.differ(differ, third), to.either(to.both(first, second), to.both(differ, third))};
}

pair_of_literals load_sums(logic& to, int array) {
  return {to.load({array, 0, 0}), to.load({array, 1, 0})};
}

/// Sums along the row below, which are kept for the rows that follow.
pair_of_literals sum_row_below(logic& to) {
  using namespace row_array;
  literal const here = to.load({row_below, 0, 0});
  literal const before = to.load({row_below, 0, -1}), behind = to.load({row_below, 0, 1});
  auto const sum = add(to, to.either(to.left(here, 1), to.right(before, 63)),
                       to.either(to.right(here, 1), to.left(behind, 63)), here);
  to.store(sum.first, {sums_below, 0, 0});
  to.store(sum.second, {sums_below, 1, 0});
  return sum;
}

/// The next state by the digits of the number of neighbors, and by the cell's state as the last
/// variable.
truth_table table_of(rule const& game) {
  truth_table table{0, 0};
  for (unsigned n = 0; n <= 8; ++n)
    for (unsigned alive = 0; alive < 2; ++alive) {
      unsigned const counts = alive != 0 ? game.survival : game.birth;
      table.values |= (counts >> n & 1U) << (n | alive << 4);
      table.cares |= 1U << (n | alive << 4);
    }
  return table;
}

} // namespace

logic row_logic(rule const& game) {
  using namespace row_array;
  logic made;
  auto const below = sum_row_below(made);
  literal const cells = made.load({row, 0, 0});
  auto const above = load_sums(made, sums_above), three = load_sums(made, sums_beside);
  literal const ones = made.differ(three.first, cells);
  auto const n = add(made, above.first, ones, below.first);
  auto const twos = add(made, above.second, made.both(three.second, !ones), below.second);
  literal const n1 = made.differ(twos.first, n.second), carry = made.both(twos.first, n.second);
  literal const n2 = made.differ(twos.second, carry), n3 = made.both(twos.second, carry);
  literal const next = add_function(made, {n.first, n1, n2, n3, cells}, table_of(game));
  made.store(next, {next_row, 0, 0});
  return made;
}

} // namespace life
