/// Mailboxes: memory of the node through which the blocking calls on one communicator exchange
/// their messages. They are made once, and serve all later calls with any buffers.
///
/// A process has a mailbox for each process of its node that sends to it. An epoch, counted by
/// `run`, is one call in which one process sends to the other: both ends know how many messages
/// there are and how long they are, and so where in the mailbox each lies. Epochs use the places of
/// each kind in turn: a sender may be ahead of its receiver, more so if all messages are short.
///
///     receiver's memory     lines   short messages
///                           check   of the lengths, in an epoch without short messages
///                           room    longer messages, one behind the other
///                           filled  how many bytes of the room are filled, and for which epoch
///     sender's memory       taken   the last epoch of which the receiver has all messages
///
/// Messages that fit into neither lines nor room are sent by MPI.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/transport/shared/epoch_bytes.hpp>
#include <seam/exchange/transport/shared/lines.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace seam {

/// The short messages of an epoch.
struct alignas(64) mailbox_lines {
  static constexpr std::int64_t most = 64;

  shared_word check; ///< check_of() the lengths of an epoch without short messages
  line all[most];
};

/// The words of mailbox_layout::filled().
using filled_bytes = epoch_bytes<20>;

/// Places for messages from one process to another. `run` counts epochs, and `room` the epochs that
/// use a room.
struct mailbox_layout {
  static constexpr std::uint64_t num_lines = 8, num_rooms = 2;

  std::byte* first = nullptr;
  std::int64_t room_bytes = 0;

  mailbox_lines& lines(std::uint64_t run) const {
    return reinterpret_cast<mailbox_lines*>(first)[run % num_lines];
  }

  /// An epoch, and how many bytes of its room are filled.
  shared_word& filled(std::uint64_t room) const {
    return *reinterpret_cast<shared_word*>(at(room));
  }
  std::byte* room(std::uint64_t room) const { return at(room) + sizeof(line); }

  /// Memory of a mailbox with rooms of `room` bytes. [bytes]
  static std::int64_t bytes(std::int64_t room) {
    return std::int64_t{num_lines * sizeof(mailbox_lines)} +
           std::int64_t{num_rooms} * (std::int64_t{sizeof(line)} + room);
  }

private:
  std::byte* at(std::uint64_t room) const {
    return first + num_lines * sizeof(mailbox_lines) +
           static_cast<std::int64_t>(room % num_rooms) * (std::int64_t{sizeof(line)} + room_bytes);
  }
};

/// The sender's end of a mailbox.
struct outbox {
  int peer;
  mailbox_layout layout;
  shared_word const* taken;
  std::uint64_t run = 0, room = 0; ///< epochs so far, and those that used a room
  std::uint64_t run_of_room = 0;   ///< the last epoch that used a room
  std::uint64_t awaited = 0;       ///< the last epoch that the receiver has to note in `taken`
  std::uint64_t known = 0;         ///< the last epoch that is known to have been taken
};

/// The receiver's end of a mailbox.
struct inbox {
  int peer;
  mailbox_layout layout;
  shared_word* taken;
  std::uint64_t run = 0, room = 0; ///< epochs so far, and those that used a room
};

/// This process's ends of the mailboxes of a communicator.
/// Threads: as the communicator's collectives.
class mailboxes {
public:
  mailboxes(std::shared_ptr<std::byte> memory, std::vector<outbox> out, std::vector<inbox> in);
  mailboxes(mailboxes const&) = delete;
  mailboxes& operator=(mailboxes const&) = delete;
  ~mailboxes();

  /// The end of the mailbox to, or from, `peer`, at a fixed address; nullptr if there is none.
  outbox* to(int peer);
  inbox* from(int peer);

private:
  std::shared_ptr<std::byte> memory_;
  std::vector<outbox> out_;
  std::vector<inbox> in_;
};

/// Where a message lies in its mailbox.
struct mailbox_place {
  enum class part { lines, room, nowhere };
  part in = part::nowhere;
  std::int64_t first = 0; ///< index of its first line, or byte of the room
};

/// The place of each message, in the order of a schedule; both ends compute the same places.
///
/// @param lengths  of the messages [bytes]
/// Local.
std::vector<mailbox_place> places_in_box(std::span<std::int64_t const> lengths,
                                         std::int64_t room_bytes);

/// A number below 65536 that most probably differs if `lengths` do. Local.
std::uint64_t check_of(std::span<std::int64_t const> lengths);

/// The mailboxes of the collectives of `over`, made at the first call; nullptr if shared memory is
/// off or used up, if no other process shares it, and on bipartite and large complete
/// communicators.
/// Collective: over `over`, the first time; local from then on.
std::shared_ptr<mailboxes> const& mailboxes_of(Communicator const& over);

} // namespace seam
