/// What the two ends of a channel tell each other when they meet.
#pragma once

#include <seam/exchange/communicator/shared_arena.hpp>

#include <cstdint>

namespace seam {

/// What a receiver has to know to read partitions from the memory of their sender.
struct shown_lane {
  static constexpr std::int64_t none = -1;
  std::int64_t num_slots = none; ///< 0: `data` is the user's memory; none: by messages
  shared_place words{}, data{};
};

/// What an end tells the other.
struct end_description {
  std::int64_t bytes = 0;
  std::int32_t partitions = 0;
  std::int32_t tag = 0;                     ///< of the user
  std::int32_t first_tag = 0, back_tag = 0; ///< of the sender's channel
  shown_lane lane{};                        ///< of the sender
};

} // namespace seam
