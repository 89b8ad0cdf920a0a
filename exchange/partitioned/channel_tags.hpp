/// The tags of partitioned communication. MPI libraries have 32768 tags or more, up to MPI_TAG_UB;
/// those up to 2^28 are used here, and each plan fits into the tags that there are.
///
///     context of seam     [28672, MPI_TAG_UB]   other operations have those below, and guarded
///                                               ones (transport/message/guarded_tags.hpp) above
///     user's context      [32768, MPI_TAG_UB]   or as above where MPI_TAG_UB is below 65535
///     reductions          [0, MPI_TAG_UB]       of contexts of their own
///
/// The first two ranges are divided into
///
///     hello        one for all: a sender announces a channel, and names the user's tag
///     back         one for each channel to a destination: for messages of its receiver
///     forward      of each channel one for whole epochs, and one for each message of a split epoch
///
/// The sender draws the last two and sends them to the receiver. They are free again when the
/// sending end is gone.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <memory>

namespace seam::detail {

class lobby;

/// The largest number of messages of one edge in one epoch, without their announcement.
inline constexpr int most_messages = 4092;

/// The tags of one channel. Those of messages that travel back differ from those of channels in the
/// other direction.
struct channel_tags {
  int first = 0, back = 0;

  int whole() const noexcept { return first; }
  int message(int k) const noexcept { return first + 1 + k; }
  int answer() const noexcept { return back; }
  int prepared() const noexcept { return back; } ///< sent after the answer, always
};

/// The tags of a channel, which has them as long as `keeps` lives.
struct drawn_channel {
  channel_tags tags{};
  int num_messages = 0; ///< messages that have a tag each
  std::shared_ptr<void const> keeps{};
};

/// Draws the tags of one more channel from this process to `destination`.
/// @param num_messages  most messages of an epoch; a channel gets fewer where tags run out: it
///                      draws a quarter of those that are left
/// @throws usage_error  no tag is left
/// Local.
/// Threads: any.
drawn_channel draw_channel(Communicator const& over, char const* call, int destination,
                           int num_messages);

/// Keeps the tags of `channel` until the program ends, as a message with one of them may still
/// come, and the communicator `context` in which they are tags: MPI libraries give the context of a
/// freed one to the next, whose channels begin with the same tags. Local. Threads: any.
void keep_for_ever(mpi::comm_view context, drawn_channel channel);

/// Draws the number of one more collective, which stands for the user's tag on its edges. It is
/// negative, and no other collective has it: hellos of one that has failed, or has been freed, are
/// for no receiver of the next.
/// Collective: over `over`, by the order of its collectives; sends nothing. Threads: any.
int draw_collective_number(Communicator const& over);

/// The lobby in which the ends of channels over `over` meet. Local. Threads: any.
std::shared_ptr<lobby> lobby_of(Communicator const& over);

/// Tags from `first` on in a context used only by reductions; all ranks draw the same.
struct reduction_tags {
  std::shared_ptr<mpi::comm const> context{};
  int first = 0;
};

/// Draws `count` tags for one more reduction.
/// @throws usage_error  no context has as many (the same on all ranks)
/// Collective: over `over`, as it makes a context when the last one has too few tags left.
reduction_tags draw_reduction_tags(Communicator const& over, int count);

} // namespace seam::detail
