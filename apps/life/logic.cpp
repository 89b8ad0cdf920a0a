#include "logic.hpp"

#include <algorithm>
#include <utility>

namespace life {

int step::num_operands() const {
  switch (what) {
  case operation::constant:
  case operation::load:
  case operation::kept: return 0;
  case operation::negation:
  case operation::store:
  case operation::keep: return 1;
  case operation::lookup: return 3;
  default: return 2;
  }
}

int logic::add(step const& wanted) {
  auto const found = std::ranges::find(steps_, wanted);
  if (found != steps_.end())
    return static_cast<int>(found - steps_.begin());
  steps_.push_back(wanted);
  return static_cast<int>(std::ssize(steps_)) - 1;
}

literal logic::both(literal first, literal second) {
  constexpr literal no{};
  if (first == no || second == no || first == !second)
    return no;
  if (first == !no || first == second)
    return second;
  if (second == !no)
    return first;
  if (second.value < first.value)
    std::swap(first, second);
  if (first.is_negated && second.is_negated)
    return {add({operation::disjunction, first.value, second.value}), true};
  if (second.is_negated)
    return {add({operation::exclusion, second.value, first.value})};
  return {add({first.is_negated ? operation::exclusion : operation::conjunction, first.value,
               second.value})};
}

literal logic::differ(literal first, literal second) {
  bool const is_negated = first.is_negated != second.is_negated;
  if (first.value == second.value)
    return {0, is_negated};
  if (second.value < first.value)
    std::swap(first, second);
  if (first.value == 0)
    return {second.value, is_negated};
  return {add({operation::difference, first.value, second.value}), is_negated};
}

namespace {

constexpr int num_variables = 5;

/// Two tables as one that agrees with both where they care.
truth_table merged(truth_table const& first, truth_table const& second) {
  return {(first.values & first.cares) | (second.values & second.cares),
          first.cares | second.cares};
}

bool agree(truth_table const& first, truth_table const& second) {
  return ((first.values ^ second.values) & first.cares & second.cares) == 0;
}

truth_table negated(truth_table const& of) { return {~of.values, of.cares}; }

/// The half of a function of `count` variables in which the last one is `value`.
truth_table half(truth_table const& of, int count, int value) {
  int const cases = 1 << (count - 1);
  std::uint32_t const mask = cases < 32 ? (1U << cases) - 1 : ~0U;
  return {of.values >> (value * cases) & mask, of.cares >> (value * cases) & mask};
}

/// Adds a function of the first `count` variables, by what it is where the last of them is false and
/// where it is true.
literal add_by_halves(logic& to, std::array<literal, num_variables> const& variables, int count,
                      truth_table const& table) {
  if ((table.values & table.cares) == 0)
    return {};
  if ((~table.values & table.cares) == 0)
    return !literal{};
  literal const x = variables[count - 1];
  truth_table const low = half(table, count, 0), high = half(table, count, 1);
  auto const add = [&](truth_table const& of) {
    return add_by_halves(to, variables, count - 1, of);
  };
  if (agree(low, high))
    return add(merged(low, high));
  if (agree(low, negated(high)))
    return to.differ(x, add(merged(low, negated(high))));
  literal const where_low = add(low), where_high = add(high);
  if (where_low.value == 0)
    return where_low.is_negated ? to.either(!x, where_high) : to.both(x, where_high);
  if (where_high.value == 0)
    return where_high.is_negated ? to.either(x, where_low) : to.both(!x, where_low);
  return to.differ(where_low, to.both(x, to.differ(where_low, where_high)));
}

/// The same function of variables in another order.
truth_table reordered(truth_table const& table, variable_order const& order) {
  truth_table now{0, 0};
  for (unsigned k = 0; k < 1U << num_variables; ++k) {
    unsigned before = 0;
    for (int v = 0; v < num_variables; ++v)
      before |= (k >> v & 1U) << order[v];
    now.values |= (table.values >> before & 1U) << k;
    now.cares |= (table.cares >> before & 1U) << k;
  }
  return now;
}

} // namespace

literal add_function(logic& to, std::array<literal, num_variables> const& variables,
                     truth_table const& table, variable_order const& order) {
  std::array<literal, num_variables> sorted;
  for (int v = 0; v < num_variables; ++v)
    sorted[v] = variables[order[v]];
  return add_by_halves(to, sorted, num_variables, reordered(table, order));
}

} // namespace life
