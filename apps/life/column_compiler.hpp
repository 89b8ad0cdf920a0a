/// A compiler of programs of logic to functions that carry them out down a column of vectors. What
/// rows keep for the row below stays in registers.
#pragma once

#include "logic.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace life {

/// @param Instructions  avx2 or avx512
template <class Instructions>
class column_compiler {
public:
  explicit column_compiler(logic const& program) : steps_(program.steps()) {
    for (step const& of : steps_)
      if (of.what == operation::keep)
        kept_.push_back(static_cast<int>(kept_.size()));
  }

  /// The whole function, if registers suffice. The two rows above the second one only keep values.
  std::optional<std::vector<std::uint8_t>> compile() {
    to_.begin();
    for (int row = 0; row < 2; ++row)
      add_row(false);
    auto const top = to_.bytes.size();
    auto const kept_at_top = kept_;
    std::vector<std::size_t> jumps;
    for (int row = 1; row < rows_of_loop; ++row) {
      add_row(true);
      jumps.push_back(to_.jump_if_done());
    }
    add_row(true);
    move_kept(kept_at_top);
    to_.jump_if_more(top);
    for (std::size_t const jump : jumps)
      to_.place_target(jump);
    to_.end();
    return fits_ ? std::optional(to_.bytes) : std::nullopt;
  }

private:
  static constexpr int none = -1;
  static constexpr int rows_of_loop = 3; ///< after which kept values have to be moved

  /// Adds a program for one row, with stores or without.
  void add_row(bool stores) {
    count_uses(stores);
    registers_.assign(steps_.size(), none);
    holders_.fill(0);
    for (std::size_t s = 0; s < steps_.size(); ++s)
      if (steps_[s].what == operation::kept && uses_[s] > 0)
        give(static_cast<int>(s), kept_[steps_[s].number]);
    auto next = kept_;
    for (int s = 0; s < std::ssize(steps_); ++s)
      if (steps_[s].what == operation::keep) {
        hold(steps_[s].first);
        next[steps_[s].number] = registers_[steps_[s].first];
      } else if (stores || steps_[s].what != operation::store) {
        add(s);
      }
    kept_ = next;
    to_.move_down();
  }

  void count_uses(bool stores) {
    uses_.assign(steps_.size(), 0);
    for (auto s = std::ssize(steps_) - 1; s >= 0; --s)
      if (uses_[s] > 0 || steps_[s].what == operation::keep ||
          (stores && steps_[s].what == operation::store))
        for_each_operand(steps_[s], [&](int value) { ++uses_[value]; });
  }

  template <class Visit>
  static void for_each_operand(step const& of, Visit const& visit) {
    for (int k = 0; k < of.num_operands(); ++k)
      visit(of.operands()[k]);
  }

  /// Adds a step, but loads and constants only where they are used first.
  void add(int number) {
    step const& of = steps_[number];
    if (of.num_operands() == 0 || (!of.is_output() && uses_[number] == 0))
      return;
    for_each_operand(of, [&](int value) { hold(value); });
    switch (of.what) {
    case operation::store: to_.store(registers_[of.first]); return release(of.first);
    case operation::from_before:
    case operation::from_behind: return shift_in(number);
    case operation::lookup: return look_up(number);
    case operation::negation: return negate(number);
    default: combine(number);
    }
  }

  void combine(int number) {
    if constexpr (!Instructions::has_lookups) {
      step const& of = steps_[number];
      int const first = registers_[of.first], second = registers_[of.second];
      release(of.first);
      release(of.second);
      to_.compute(of.what, take(number), first, second);
    }
  }

  void negate(int number) {
    if constexpr (!Instructions::has_lookups) {
      int const of = steps_[number].first, to = take(number);
      to_.fill(to);
      to_.compute(operation::difference, to, to, registers_[of]);
      release(of);
    }
  }

  void shift_in(int number) {
    step const& of = steps_[number];
    int const scratch = free_register();
    ++holders_[scratch];
    int const here = registers_[of.first], word_beside = registers_[of.second];
    release(of.first);
    release(of.second);
    to_.shift_in(of.what == operation::from_before, take(number), scratch, here, word_beside);
    --holders_[scratch];
  }

  /// The result takes the register of an operand that is not used any more, or of a copy of one.
  void look_up(int number) {
    if constexpr (Instructions::has_lookups) {
      step const& of = steps_[number];
      std::array<int, 3> in{};
      for (int k = 0; k < 3; ++k)
        in[k] = registers_[of.operands()[k]];
      for_each_operand(of, [&](int value) { release(value); });
      int first = 0;
      while (first < 3 && holders_[in[first]] > 0)
        ++first;
      if (first < 3)
        give(number, in[first]);
      else
        to_.copy(take(number), in[first = 0]);
      std::swap(in[0], in[first]);
      to_.look_up(with_first(of.number, first), registers_[number], in[1], in[2]);
    }
  }

  /// The table of a lookup whose first value has changed places with another one.
  static int with_first(int table, int value) {
    int changed = 0;
    for (int k = 0; k < 8; ++k) {
      int const bits[] = {k >> 2 & 1, k >> 1 & 1, k & 1}; // of the values
      std::array<int, 3> before{bits[0], bits[1], bits[2]};
      std::swap(before[0], before[value]);
      changed |= (table >> (4 * before[0] + 2 * before[1] + before[2]) & 1) << k;
    }
    return changed;
  }

  /// Brings a value into a register.
  void hold(int value) {
    if (registers_[value] != none)
      return;
    if (steps_[value].what == operation::load)
      to_.load(take(value), steps_[value].number);
    else
      to_.clear(take(value));
  }

  /// Counts one use of a value as done; behind the last its register is free.
  void release(int value) {
    if (--uses_[value] == 0)
      --holders_[registers_[value]];
  }

  void give(int value, int number) {
    ++holders_[number];
    registers_[value] = number;
  }

  int take(int value) {
    give(value, free_register());
    return registers_[value];
  }

  int free_register() {
    int number = 0;
    while (number < Instructions::num_registers && holders_[number] > 0)
      ++number;
    fits_ = fits_ && number < Instructions::num_registers;
    return number % Instructions::num_registers;
  }

  /// Moves what is kept to the registers in which the loop expects it. A register that others still
  /// have to be moved from comes last, if need be by way of a free one.
  void move_kept(std::vector<int> const& targets) {
    std::vector<std::pair<int, int>> moves; // from, to
    for (std::size_t k = 0; k < targets.size(); ++k)
      if (kept_[k] != targets[k])
        moves.emplace_back(kept_[k], targets[k]);
    while (!moves.empty()) {
      auto const is_read = [&](int number) {
        return std::ranges::find(moves, number, &std::pair<int, int>::first) != moves.end();
      };
      auto const next =
          std::ranges::find_if(moves, [&](auto const& m) { return !is_read(m.second); });
      if (next != moves.end()) {
        to_.copy(next->second, next->first);
        moves.erase(next);
      } else {
        int const spare = spare_register(targets);
        to_.copy(spare, moves.front().first);
        moves.front().first = spare;
      }
    }
  }

  /// A register in which nothing is kept, now or later.
  int spare_register(std::vector<int> const& targets) {
    int number = 0;
    auto const is_in = [&](std::vector<int> const& of) {
      return std::ranges::find(of, number) != of.end();
    };
    while (is_in(targets) || is_in(kept_))
      ++number;
    fits_ = fits_ && number < Instructions::num_registers;
    return number % Instructions::num_registers;
  }

  std::span<step const> steps_;
  std::vector<int> uses_, registers_; ///< of each step; registers that hold nothing any more, too
  std::array<int, Instructions::num_registers> holders_{}; ///< values in each register
  std::vector<int> kept_; ///< register of each value that the row above kept
  bool fits_ = true;
  Instructions to_;
};

} // namespace life
