/// Zones: what of a part of a board is not as it was, and where in it cells live. Neighbors ask for the
/// zones that face them, from which generations can reach them; zones cover each other.
///
///     zone (row, column)     row -1 the first rows, 0 all, 1 the last; columns likewise
///
///     | -1,-1 |  -1,0  | -1,1 |
///     |  0,-1 |  0,0   |  0,1 |    zone (0,0) is the whole part
///     |  1,-1 |  1,0   |  1,1 |
#pragma once

#include "packing.hpp"

#include <array>
#include <cstdint>

namespace life {

/// A bit for each zone: in the lower half of those whose cells are not as they were, in the upper
/// half of those with live cells.
using zones = std::uint32_t;

constexpr int num_zones = 9;
constexpr int bits_of_half = 16;

/// Both bits of zone (-1, -1).
constexpr zones zone_changed = 1, zone_alive = zone_changed << bits_of_half;
constexpr zones all_changed = ((1U << num_zones) - 1) * zone_changed;
constexpr zones all_zones = ((1U << num_zones) - 1) * (zone_changed | zone_alive);

constexpr int number_of_zone(int row, int column) { return 3 * (row + 1) + column + 1; }

/// The bits of the zone that faces a neighbor, in the places of `zone_changed` and `zone_alive`.
/// @param row, column  the direction of the neighbor, each -1, 0 or 1
constexpr zones facing(zones of, int row, int column) {
  return of >> number_of_zone(row, column) & (zone_changed | zone_alive);
}

/// True if a part need not be computed.
/// @param around       all that faces it, and its own zone (0, 0)
/// @param comes_again  what did not change in the last generations does not in the next ones: they
///                     are as many, or a multiple
constexpr bool rests(zones around, bool comes_again, bool life_from_nothing) {
  bool const blinks = comes_again && (around & zone_changed) == 0;
  bool const is_empty = !life_from_nothing && around == 0;
  return blinks || is_empty;
}

/// What differs, and what lives, in each column of words of some rows.
class word_columns {
public:
  static constexpr std::int64_t most = 8; ///< words of a row

  /// Adds the difference and the live cells of two rows.
  /// @tparam Words  an integer, or one that the compiler knows
  template <class Words>
  void add(word const* now, word const* next, Words num_words) {
    for (std::int64_t w = 0; w < num_words; ++w) {
      different_[w] |= now[w] ^ next[w];
      living_[w] |= now[w] | next[w];
    }
  }

  void add(word_columns const& other) {
    for (std::int64_t w = 0; w < most; ++w) {
      different_[w] |= other.different_[w];
      living_[w] |= other.living_[w];
    }
  }

  /// The three zones of these rows.
  /// @param row    -1, 0 or 1
  /// @param reach  words of the first and of the last zone
  zones in_row(int row, std::int64_t num_words, std::int64_t reach) const;

private:
  std::array<word, most> different_{}, living_{};
};

} // namespace life
