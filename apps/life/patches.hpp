/// Patches: small parts of a rank's block, which sleep while nothing moves in them and around them.
///
/// If a patch and its neighbors are as they were t generations ago, the patch is in t generations
/// what it is now: the field of the next generation, which has the cells of t generations ago, holds
/// it already. A patch of dead cells among dead cells stays dead, too. So nothing is computed of empty
/// space and of what blinks, and nothing is lost.
///
///     ghosts | 0,0 | 0,1 | 0,2 | ghosts      neighbors of patches at the rim of a block are its
///            | 1,0 | 1,1 | 1,2 |             ghosts
#pragma once

#include "strip.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace life {

/// The patches of one block.
class patches {
public:
  /// All are awake. Local.
  explicit patches(generation const& cells);

  /// Finds the patches whose cells have to be computed, as boxes of patches side by side.
  /// @param generations        how many are computed next
  /// @param life_from_nothing  cells are born without neighbors
  /// Local.
  std::vector<seam::box<2>> const& wake(int generations, bool life_from_nothing);

  /// Compares what `now` and `next` hold of some patches, or of all ghosts.
  /// Local.
  /// Threads: any, of distinct patches.
  void compare(block const& of, seam::box<2> const& some);
  void compare_ghosts(block const& of);

  /// The rows and words of some patches; patches -1, and those behind the last, are ghosts.
  seam::box<2> words_of(seam::box<2> const& some) const;

private:
  std::uint8_t& state_of(std::int64_t row, std::int64_t column) {
    return states_[(row + 1) * (count_[1] + 2) + column + 1];
  }
  bool is_awake(std::int64_t row, std::int64_t column, bool comes_again, bool life_from_nothing);
  void add_strips(std::int64_t row, std::int64_t begin, std::int64_t end);
  bool lengthen_strip(seam::box<2> const& strip);

  seam::cell_index<2> count_;                       ///< of patches on each axis
  std::array<std::vector<std::int64_t>, 2> begins_; ///< of patches -1, 0, ... on each axis
  std::vector<std::uint8_t> states_;                ///< of all patches and ghosts
  std::vector<std::int64_t> strip_at_;              ///< last strip that begins at a column
  std::int64_t most_rows_ = 1;                      ///< of a strip [patches]
  std::vector<seam::box<2>> awake_;
  int last_generations_ = 0;
};

} // namespace life
