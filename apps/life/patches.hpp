/// Patches: small parts of a rank's block, which sleep while nothing moves in them and around them.
///
/// If a patch and the cells around it are as they were t generations ago, the patch is in t generations
/// what it is now: the field of the next generation, which has the cells of t generations ago, holds
/// it already. A patch of dead cells among dead cells stays dead, too. So nothing is computed of empty
/// space and of what blinks, and nothing is lost.
///
///     ghosts | 0,0 | 0,1 | 0,2 | ghosts      neighbors of patches at the rim of a block are its
///            | 1,0 | 1,1 | 1,2 |             ghosts
#pragma once

#include "strip.hpp"
#include "zones.hpp"

#include <array>
#include <cstdint>
#include <utility>
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

  /// Compares what `now` and `next` hold of some patches, or of all ghosts. Not each time where most are
  /// awake: they stay so.
  /// Local.
  /// Threads: any, of distinct patches.
  void compare(block const& of, seam::box<2> const& some);
  void compare_ghosts(block const& of);

  /// The rows and words of some patches; patches -1, and those behind the last, are ghosts.
  seam::box<2> words_of(seam::box<2> const& some) const;

private:
  std::int64_t number_of(std::int64_t row, std::int64_t column) const {
    return (row + 1) * (count_[1] + 2) + column + 1;
  }
  bool looks() const;
  zones compare_words(block const& of, seam::box<2> const& words) const;
  void add_ghosts(generation const& cells);
  void find_ends();
  std::pair<std::int64_t, std::int64_t> columns_to_ask(std::int64_t row) const;
  bool is_awake(std::int64_t row, std::int64_t column, bool comes_again,
                bool life_from_nothing) const;
  void add_strips(std::int64_t row, std::int64_t begin, std::int64_t end);
  bool lengthen_strip(seam::box<2> const& strip);

  seam::cell_index<2> count_;                       ///< of patches on each axis
  std::array<std::vector<std::int64_t>, 2> begins_; ///< of patches -1, 0, ... on each axis
  seam::cell_index<2> reach_;                       ///< rows and words that generations reach
  std::vector<seam::box<2>> ghosts_;                ///< that are compared
  std::vector<zones> states_;                       ///< of all patches and ghosts
  /// Of rows of patches -1, 0, ...: the first column whose state is not 0, and behind the last.
  std::vector<std::pair<std::int64_t, std::int64_t>> ends_;
  std::vector<std::int64_t> strip_at_; ///< last strip that begins at a column
  std::int64_t most_rows_ = 1;         ///< of a strip [patches]
  std::vector<seam::box<2>> awake_;
  int last_generations_ = 0;
  std::int64_t num_turns_ = 0;
  bool most_are_awake_ = true;
};

} // namespace life
