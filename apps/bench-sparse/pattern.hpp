/// Patterns: the destinations of all ranks, which every rank computes.
#pragma once

#include <array>
#include <vector>

namespace sparse_bench {

enum class kind {
  random,     ///< each rank sends to each other rank with a probability
  mesh,       ///< each rank sends to its neighbors in a three-dimensional grid of blocks
  all_to_one, ///< all ranks send to one
  empty       ///< no rank sends
};
inline constexpr std::array names_of_kinds{"random", "mesh", "all-to-one", "empty"};

/// Destinations of all ranks in a series of exchanges.
class pattern {
public:
  /// @param renewed       true: each turn has another pattern; false: all have the first
  /// @param destinations  mean number for each rank in random patterns, at most half of the ranks
  pattern(kind which, bool renewed, int size, double destinations);

  /// Number of turns after which patterns repeat.
  static constexpr int num_turns = 64;

  /// Ranks that `rank` sends to, ascending, without itself.
  std::vector<int> const& destinations(int turn, int rank) const {
    int const which = renewed_ ? turn % num_turns : 0;
    return to_[which * size_ + rank];
  }

  /// Ranks that send to `rank`, ascending.
  std::vector<int> sources(int turn, int rank) const;

private:
  bool renewed_;
  int size_;
  std::vector<std::vector<int>> to_; ///< [turn][rank]
};

} // namespace sparse_bench
