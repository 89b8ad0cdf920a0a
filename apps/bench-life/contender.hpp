/// Contenders: ways to play a game on a torus, for a comparison of their times.
#pragma once

#include "rule.hpp"

#include <kit/method.hpp>
#include <seam/runtime.hpp>

#include <cstdint>
#include <memory>

namespace life_bench {

/// The game that all contenders play.
struct game {
  life::rule rule;
  std::int64_t rows, columns; ///< of the torus; multiples of 64

  /// The cells at the start, 64 of a row in a word: the same soup for all.
  std::uint64_t soup(std::int64_t row, std::int64_t word) const {
    std::uint64_t mixed = static_cast<std::uint64_t>(row * columns / 64 + word + 1);
    for (int round = 0; round < 3; ++round) {
      mixed ^= mixed >> 31;
      mixed *= 0x9e3779b97f4a7c15U;
    }
    return mixed ^ mixed >> 29;
  }
};

/// One way to play it.
/// Threads: one calls the members.
class contender : public bench::method {
public:
  /// Replaces the cells by those `generations` later.
  virtual void run(std::int64_t generations) = 0;

  /// Number of live cells.
  virtual std::int64_t population() const = 0;
};

/// Plain loops on one rank without messages: a byte for each cell, and a bit, for rules that the
/// compiler knows; nothing for others.
std::unique_ptr<contender> bytes_by_hand(game const& played);
std::unique_ptr<contender> words_by_hand(game const& played);

} // namespace life_bench
