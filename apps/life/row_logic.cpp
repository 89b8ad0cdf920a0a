#include "row_logic.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace life {
namespace {

/// What rows keep for the row below.
enum kept_value : int { ones_above, twos_above, ones_beside, twos_beside, cells };

struct ones_and_twos {
  literal ones, twos;
};

/// Adds three bits.
ones_and_twos add(logic& to, literal first, literal second, literal third) {
  literal const differ = to.differ(first, second);
  return {to.differ(differ, third), to.either(to.both(first, second), to.both(differ, third))};
}

/// Sums along the row below, which are kept for the rows that follow.
ones_and_twos sum_row_below(logic& to, literal here) {
  return add(to, to.from_before(here, to.load(-1)), to.from_behind(here, to.load(1)), here);
}

/// The number of live cells among a cell and its neighbors: ones + 2 (twos + more_twos + 2 fours).
struct live_cells {
  literal ones, twos, more_twos, fours;

  static unsigned number_of(unsigned digits) {
    return (digits & 1) + 2 * ((digits >> 1 & 1) + (digits >> 2 & 1)) + 4 * (digits >> 3 & 1);
  }
};

/// The next state by the digits of live_cells, and by the cell's state as the last variable.
truth_table table_of(rule const& game) {
  truth_table table{0, 0};
  for (unsigned k = 0; k < 32; ++k) {
    unsigned const alive = k >> 4, all = live_cells::number_of(k & 15);
    if (all < alive || all - alive > 8)
      continue;
    table.values |= ((alive != 0 ? game.survival : game.birth) >> (all - alive) & 1U) << k;
    table.cares |= 1U << k;
  }
  return table;
}

logic row_logic_by(variable_order const& order, truth_table const& table) {
  logic made;
  literal const here = made.kept(cells), here_below = made.load(0);
  ones_and_twos const below = sum_row_below(made, here_below);
  literal const ones = made.kept(ones_beside), twos = made.kept(twos_beside);
  ones_and_twos const sum = add(made, made.kept(ones_above), ones, below.ones);
  ones_and_twos const sum_of_twos = add(made, made.kept(twos_above), twos, below.twos);
  live_cells const all{sum.ones, sum.twos, sum_of_twos.ones, sum_of_twos.twos};
  made.store(add_function(made, {all.ones, all.twos, all.more_twos, all.fours, here}, table,
                          order));
  made.keep(ones, ones_above);
  made.keep(twos, twos_above);
  made.keep(below.ones, ones_beside);
  made.keep(below.twos, twos_beside);
  made.keep(here_below, cells);
  return made;
}

/// True for one of two orders that differ in the twos only, which are alike.
bool is_first_of_two(variable_order const& order) {
  return std::ranges::find(order, 1) < std::ranges::find(order, 2);
}

} // namespace

logic row_logic(rule const& game, std::function<int(logic const&)> const& cost_of) {
  truth_table const table = table_of(game);
  std::optional<std::pair<int, logic>> best;
  variable_order order{0, 1, 2, 3, 4};
  do {
    if (!is_first_of_two(order))
      continue;
    logic made = row_logic_by(order, table);
    int const cost = cost_of(made);
    if (!best || cost < best->first)
      best = {cost, std::move(made)};
  } while (std::ranges::next_permutation(order).found);
  return std::move(best->second);
}

} // namespace life
