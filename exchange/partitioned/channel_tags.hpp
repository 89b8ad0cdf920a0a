/// The tags of partitioned communication. MPI libraries have 32768 tags or more, up to MPI_TAG_UB,
/// of which those up to 2^28 are used here; each plan fits into what there is.
///
///     context of seam     [28672, MPI_TAG_UB]   other operations have those below, and guarded
///                                               ones (transport/message/guarded_tags.hpp) above
///     user's context      [32768, MPI_TAG_UB]   or as above where MPI_TAG_UB is below 65535
///     reductions          [0, MPI_TAG_UB]       of contexts of their own
///
/// The first two are divided into
///
///     hello        where senders say, by the user's tag, that a channel begins
///     back         one for each channel to a destination: what its receiver says
///     forward      of each channel one for whole epochs, and one for each message of a split epoch
///
/// drawn by the sender, which tells the receiver, and free again when the sender ends.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <memory>

namespace seam {

class lobby;

/// Messages of one edge in one epoch at most, besides the one that says how many there are.
inline constexpr int most_messages = 4092;

/// In place of the user's tag: edges of collectives.
inline constexpr int tag_of_collectives = -1;

/// The tags of one channel. Those of messages that travel back differ from those of channels in the
/// other direction.
struct channel_tags {
  int first = 0, back = 0;

  int whole() const noexcept { return first; }
  int message(int k) const noexcept { return first + 1 + k; }
  int answer() const noexcept { return back; }
  int prepared() const noexcept { return back; } ///< always behind the answer
};

/// Tags of a channel as long as `keeps` lives.
struct drawn_channel {
  channel_tags tags{};
  int num_messages = 0; ///< that may have a tag each
  std::shared_ptr<void const> keeps{};
};

/// Tags for one more channel from this process to `destination`, with at most `num_messages`
/// messages in an epoch: fewer where tags run out, of which a channel gets a quarter of what is
/// left. Local. Threads: any.
/// @throws usage_error  no tag is left
drawn_channel draw_channel(Communicator const& over, char const* call, int destination,
                           int num_messages);

/// Keeps the tags of `channel` until the program ends, as a message with one of them may still
/// come. Local. Threads: any.
void keep_for_ever(drawn_channel channel);

/// Where the ends of channels over `over` meet. Local. Threads: any.
std::shared_ptr<lobby> lobby_of(Communicator const& over);

/// Tags from `first` on in a context that is for reductions alone, which all ranks draw alike.
struct reduction_tags {
  std::shared_ptr<mpi::comm const> context{};
  int first = 0;
};

/// `count` tags for one more reduction. Collective: over `over`, as it makes a context when the
/// last one has no tags left.
/// @throws usage_error  no context has as many, the same on all ranks
reduction_tags draw_reduction_tags(Communicator const& over, int count);

} // namespace seam
