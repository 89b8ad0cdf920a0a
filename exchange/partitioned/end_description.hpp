/// The descriptions that the two ends of a channel send each other when they meet.
#pragma once

#include <seam/exchange/communicator/shared_arena.hpp>

#include <cstdint>

namespace seam::detail {

/// The places in shared memory from which a receiver reads the partitions of its sender.
struct shown_lane {
  static constexpr std::int64_t none = -1;
  std::int64_t num_slots =
      none; ///< 0: `data` is the user's memory; none: partitions are sent by MPI
  shared_place words{}, data{};
};

/// The description of one end.
struct end_description {
  std::int64_t bytes = 0;
  std::int32_t partitions = 0;
  std::int32_t tag = 0;                     ///< the user's
  std::int32_t first_tag = 0, back_tag = 0; ///< of the sender's channel
  shown_lane lane{};                        ///< of the sender
};

} // namespace seam::detail
