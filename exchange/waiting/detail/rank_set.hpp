/// Sets of ranks: the processes of a communicator, which its record of calls remembers. Most are
/// progressions: all ranks, those of a node, every fourth one.
#pragma once

#include <span>
#include <vector>

namespace seam::detail {

/// Ranks in ascending order. A progression takes three numbers, however many they are; other sets
/// take four bytes for each rank. An immutable value.
class rank_set {
public:
  rank_set() = default;

  /// The ranks 0 to `size` - 1.
  static rank_set first(int size);

  /// @param ascending  without repetitions
  explicit rank_set(std::span<int const> ascending);

  int size() const noexcept { return size_; }
  int operator[](int k) const noexcept { return listed_.empty() ? first_ + k * step_ : listed_[k]; }

  friend bool operator==(rank_set const&, rank_set const&) = default;

private:
  int size_ = 0, first_ = 0, step_ = 0;
  std::vector<int> listed_; ///< all, unless they are a progression
};

} // namespace seam::detail
