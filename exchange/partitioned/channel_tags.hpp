/// The tags of partitioned communication: above those of all other operations in a communicator's
/// context.
///
///     32768 + t              where sender and receiver with the user's tag t meet
///     pipelines              messages of reductions, drawn by all ranks alike
///     channels               4096 for each edge, drawn by its sender, which tells the receiver
#pragma once

#include <seam/exchange/communicator.hpp>

namespace seam {

/// Messages of one edge in one epoch, besides the one that says how many there are.
inline constexpr int most_messages = 4092;

/// The largest tag that users may give.
inline constexpr int last_user_tag = (1 << 20) - 1;

/// In place of the user's tag: edges of collectives.
inline constexpr int tag_of_collectives = last_user_tag + 1;

/// The tags of one channel, from `first` on. Those of messages that travel back differ, because
/// channels in the other direction may have the same.
struct channel_tags {
  int first = 0;

  int whole() const noexcept { return first; }
  int message(int k) const noexcept { return first + 1 + k; }
  int answer() const noexcept { return first + most_messages + 2; }
  int prepared() const noexcept { return first + most_messages + 3; }
};

/// Where both ends of a channel meet in the order of their making. Local.
/// @throws usage_error  the tag is out of range, also of what the MPI library has
int meeting_tag(char const* call, int user_tag);

/// Tags for one more channel from this process to `destination`; those of one that has been closed
/// long ago come back. Local. Threads: any.
channel_tags draw_channel(Communicator const& over, int destination);

/// The first of `count` tags for one more reduction; as draw_tags() of the communicator. Local.
int draw_pipeline_tags(Communicator const& over, int count);

} // namespace seam
