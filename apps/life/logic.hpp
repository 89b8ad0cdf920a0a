/// Logic: straight-line programs of operations on words, of which each bit is a case by itself.
///
///     logic program;
///     literal const a = program.load(...), b = program.load(...);
///     program.store(program.both(a, !b), ...);
///
/// Values that are the same are computed once, and negations cost nothing but at a store.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace life {

/// Where the words of a program lie, relative to the word that it computes.
struct place {
  int array = 0;  ///< number of an array
  int second = 0; ///< 1: in the second half of the array
  int offset = 0; ///< -1: the word before, 1: the word behind

  friend bool operator==(place const&, place const&) = default;
};

/// A value of a program, or its negation. Value 0 is false, so its negation is true.
struct literal {
  int value = 0;
  bool is_negated = false;

  literal operator!() const { return {value, !is_negated}; }
  friend bool operator==(literal const&, literal const&) = default;
};

enum class operation : std::uint8_t {
  constant,    ///< no bits
  load,        ///< of `where`
  conjunction, ///< first & second
  exclusion,   ///< ~first & second
  disjunction, ///< first | second
  difference,  ///< first ^ second
  left_shift,  ///< first << second
  right_shift, ///< first >> second
  negation,    ///< ~first
  store        ///< of first, to `where`
};

/// One operation, on values of operations before it.
struct step {
  operation what = operation::constant;
  int first = 0, second = 0; ///< numbers of steps, or bits of a shift
  place where = {};

  friend bool operator==(step const&, step const&) = default;
};

/// A program under construction. A value type.
class logic {
public:
  literal load(place const& where) { return {add({operation::load, 0, 0, where})}; }
  void store(literal of, place const& where);

  literal both(literal first, literal second);
  literal either(literal first, literal second) { return !both(!first, !second); }
  literal differ(literal first, literal second);
  literal left(literal of, int bits) { return {add({operation::left_shift, of.value, bits})}; }
  literal right(literal of, int bits) { return {add({operation::right_shift, of.value, bits})}; }

  /// All steps, in an order in which they can be carried out.
  std::span<step const> steps() const { return steps_; }

private:
  int add(step const& wanted);

  std::vector<step> steps_{step{}};
};

/// A function of five variables, bit k of `values` being its value where the variables are the
/// digits of k. Where `cares` has no bit, any value will do.
struct truth_table {
  std::uint32_t values = 0, cares = ~0U;
};

/// Adds the function to a program, by the order of variables with which it takes the fewest steps.
literal add_function(logic& to, std::array<literal, 5> const& variables, truth_table const& table);

} // namespace life
