/// Channels: shared memory of the two ends of on-node messages, found when an operation is made.
///
/// A message is offered by its sender, taken by its receiver, once in each epoch, which is a start
/// of the operation. Either end waits by looking at a word in its own memory, which the other end
/// writes; the words of two processes lie in cache lines of their own.
///
///     sender's memory       taken   <--- the epoch whose message the receiver has
///                           slots        packed bytes, where the sources cannot be read
///     receiver's memory     offers  <--- an epoch and how it is offered, for even and odd epochs
///                           lines   <--- the message itself if it is short, for several epochs
///
/// Where two processes send to each other, the message of an epoch says that its sender has taken
/// the message of the epoch before, and short messages need no other sign. Where nothing comes
/// back, the sender of a short message may be some epochs ahead.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/shared/lines.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace seam {

/// Epochs for which a short message has lines.
constexpr std::uint64_t epochs_of_lines(bool is_answered) { return is_answered ? 2 : 8; }

/// The end of a message that this process sends.
struct outgoing {
  shared_word* offers = nullptr; ///< [2]
  shared_word const* taken = nullptr;
  std::byte* slots = nullptr;
  std::int64_t slot_step = 0; ///< from the slot of an even epoch to that of an odd one [bytes]
  bool is_lent = false;       ///< the receiver can read the sources where they lie
  line* lines = nullptr;      ///< epoch behind epoch, if the message is short
  bool is_answered = false;   ///< the receiver sends messages to this process, too
};

/// The end of a message that this process receives.
struct incoming {
  shared_word* offers = nullptr; ///< [2]
  shared_word* taken = nullptr;
  std::byte const* slots = nullptr;
  std::int64_t slot_step = 0;
  std::vector<block> lent; ///< the sender's sources as this process finds them, if they are lent
  line const* lines = nullptr;
  bool answers = false; ///< this process sends messages to the sender, too
};

/// The ends of all messages of a schedule.
struct channels {
  std::vector<outgoing> sends;    ///< [steps.sends]
  std::vector<incoming> receives; ///< [steps.receives]
  std::shared_ptr<std::byte> memory;
};

/// Two copies of a message cost less than a call of MPI, which copies it once, up to here. [bytes]
inline constexpr std::int64_t longest_private_message = std::int64_t{64} << 10;

/// True if some message of `steps` would be slower here than by the MPI library: it is longer than
/// longest_private_message, and its bytes lie together in memory that its receiver cannot read.
///
/// @param steps  as for make_channels()
/// Local.
bool has_long_private_messages(Communicator const& over, schedule const& steps);

/// Makes the channels of each of `all` schedules, whose peers are on-node. Returns nothing, on all
/// processes of the node, if shared memory is used up or the caller is alone on its node.
///
/// @param all  one or more, as many on all ranks
/// @throws usage_error  the two ends of a message differ in length, or one is missing (not the same
///                      line on all ranks)
/// Collective: over the node, once for all schedules; throws after the last communication only.
std::vector<std::shared_ptr<channels const>> make_channels(Communicator const& over,
                                                           std::span<schedule const> all);

} // namespace seam
