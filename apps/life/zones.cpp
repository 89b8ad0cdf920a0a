#include "zones.hpp"

#include <algorithm>

namespace life {

zones word_columns::in_row(int row, std::int64_t num_words, std::int64_t reach) const {
  auto const bits_of = [&](std::int64_t begin, std::int64_t end) {
    word different = 0, living = 0;
    for (std::int64_t w = begin; w < end; ++w) {
      different |= different_[w];
      living |= living_[w];
    }
    return (different != 0 ? zone_changed : 0) | (living != 0 ? zone_alive : 0);
  };
  std::int64_t const side = std::min(reach, num_words);
  return bits_of(0, side) << number_of_zone(row, -1) |
         bits_of(0, num_words) << number_of_zone(row, 0) |
         bits_of(num_words - side, num_words) << number_of_zone(row, 1);
}

} // namespace life
