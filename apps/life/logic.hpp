/// Logic: straight-line programs of operations on words, of which each bit is a case by itself. A
/// program is carried out for one row of words after another, downwards, and keeps values from row
/// to row.
///
///     logic program;
///     literal const a = program.load(0), b = program.kept(0);
///     program.store(program.both(a, !b));
///     program.keep(a, 0);
///
/// Values that are the same are computed once, and negations cost nothing but where a value is
/// stored or kept.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace life {

/// A value of a program, or its negation. Value 0 is false, so its negation is true.
struct literal {
  int value = 0;
  bool is_negated = false;

  literal operator!() const { return {value, !is_negated}; }
  friend bool operator==(literal const&, literal const&) = default;
};

enum class operation : std::uint8_t {
  constant,    ///< no bits
  load,        ///< the word at `number`: -1 before, 0, 1 behind
  kept,        ///< the value that the row above kept as `number`
  from_before, ///< first << 1 | second >> 63
  from_behind, ///< first >> 1 | second << 63
  conjunction, ///< first & second
  exclusion,   ///< ~first & second
  disjunction, ///< first | second
  difference,  ///< first ^ second
  negation,    ///< ~first
  lookup,      ///< bit 4 first + 2 second + third of the table `number`
  store,       ///< of first, as the word of the row
  keep         ///< of first, for the row below, as `number`
};

/// One operation, on values of operations before it.
struct step {
  operation what = operation::constant;
  int first = 0, second = 0, third = 0; ///< numbers of steps
  int number = 0;

  /// Number of its operands.
  int num_operands() const;
  /// True if the step has an effect beside its value.
  bool is_output() const { return what >= operation::store; }
  /// Its operands, of which the first num_operands() count.
  std::array<int, 3> operands() const { return {first, second, third}; }

  friend bool operator==(step const&, step const&) = default;
};

/// A program under construction. A value type.
class logic {
public:
  literal load(int offset) { return {add({.what = operation::load, .number = offset})}; }
  literal kept(int number) { return {add({.what = operation::kept, .number = number})}; }
  void store(literal of) { add_output({.what = operation::store, .first = plain(of)}); }
  void keep(literal of, int number) {
    add_output({.what = operation::keep, .first = plain(of), .number = number});
  }

  literal both(literal first, literal second);
  literal either(literal first, literal second) { return !both(!first, !second); }
  literal differ(literal first, literal second);

  /// The cells to the left or to the right of those of a word, with the word before or behind it.
  /// Neither is negated.
  literal from_before(literal here, literal before) {
    return {add({operation::from_before, here.value, before.value})};
  }
  literal from_behind(literal here, literal behind) {
    return {add({operation::from_behind, here.value, behind.value})};
  }

  /// Adds a step as it is, if there is none like it.
  /// @return  its number
  int add(step const& wanted);
  void add_output(step const& wanted) { steps_.push_back(wanted); }

  /// All steps, in an order in which they can be carried out.
  std::span<step const> steps() const { return steps_; }

private:
  int plain(literal of) {
    return of.is_negated ? add({.what = operation::negation, .first = of.value}) : of.value;
  }

  std::vector<step> steps_{step{}};
};

/// A function of five variables, bit k of `values` being its value where the variables are the
/// digits of k. Where `cares` has no bit, any value will do.
struct truth_table {
  std::uint32_t values = 0, cares = ~0U;
};

/// Numbers of the variables 0 to 4.
using variable_order = std::array<int, 5>;

/// Adds the function to a program, divided by the variables in this order, the last one first.
literal add_function(logic& to, std::array<literal, 5> const& variables, truth_table const& table,
                     variable_order const& order);

} // namespace life
