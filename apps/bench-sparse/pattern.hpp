/// Who sends to whom: the patterns that are compared, which every rank knows.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sparse_bench {

enum class kind {
  random,     ///< to each other rank with a probability
  mesh,       ///< to the neighbors of a block in a three-dimensional grid of blocks
  all_to_one, ///< everybody to one
  empty       ///< nobody to anybody
};
std::string_view name_of(kind which);

/// Destinations of all ranks in one exchange after another.
class pattern {
public:
  /// @param renewed       the pattern of each turn is another; otherwise all are the first
  /// @param destinations  of each rank on average, in random patterns; of at most half of the ranks
  pattern(kind which, bool renewed, int size, double destinations);

  /// Turns after which patterns come back.
  static constexpr int num_turns = 64;

  /// Ranks that `rank` sends to, ascending, without itself.
  std::vector<int> const& destinations(int turn, int rank) const {
    int const which = renewed_ ? turn % num_turns : 0;
    return to_[static_cast<std::size_t>(which * size_ + rank)];
  }

  /// Ranks that send to `rank`, ascending.
  std::vector<int> sources(int turn, int rank) const;

private:
  bool renewed_;
  int size_;
  std::vector<std::vector<int>> to_; ///< [turn][rank]
};

} // namespace sparse_bench
