/// Mailboxes: memory of the node through which the blocking calls on one communicator exchange
/// their messages. They are made once, whatever is called later and with which buffers.
///
/// A process has mailboxes for each neighbor of its node that sends to it. A run is what one call
/// sends from one process to another: both ends know how many messages there are and how long they
/// are, and so where in the mailbox each lies. Runs use places of each kind in turn, and so a
/// sender may be ahead of its receiver, by more runs if all messages are short.
///
///     receiver's memory     lines   short messages
///                           check   what a run without any is made of
///                           room    others, one behind the other
///                           filled  how far the room has been filled, and for which run
///     sender's memory       taken   the last run of which the receiver has everything
///
/// What fits nowhere goes by MPI.
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

/// The short messages of a run.
struct alignas(64) mailbox_lines {
  static constexpr std::int64_t most = 64;

  shared_word check; ///< of a run that has none: see check_of()
  line all[most];
};

/// The words of mailbox_layout::filled().
using filled_bytes = epoch_bytes<20>;

/// Places for messages from one process to another: lines by the number of the run, rooms by that
/// of the runs that use them.
struct mailbox_layout {
  static constexpr std::uint64_t num_lines = 8, num_rooms = 2;

  std::byte* first = nullptr;
  std::int64_t room_bytes = 0;

  mailbox_lines& lines(std::uint64_t run) const {
    return reinterpret_cast<mailbox_lines*>(first)[run % num_lines];
  }

  /// A run, and the bytes of its room that hold something.
  shared_word& filled(std::uint64_t room) const {
    return *reinterpret_cast<shared_word*>(at(room));
  }
  std::byte* room(std::uint64_t room) const { return at(room) + sizeof(line); }

  /// Of all. [bytes]
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

/// The end of the mailboxes that this process sends to.
struct outbox {
  int peer;
  mailbox_layout layout;
  shared_word const* taken;
  std::uint64_t run = 0, room = 0;
  std::uint64_t run_of_room = 0; ///< the last that used a room
  std::uint64_t awaited = 0;     ///< the last run that the receiver says it has taken
  std::uint64_t known = 0;       ///< the last run that is known to have been taken
};

/// The end of the mailboxes that this process receives from.
struct inbox {
  int peer;
  mailbox_layout layout;
  shared_word* taken;
  std::uint64_t run = 0, room = 0;
};

/// The mailboxes of a communicator. Threads: as its collectives.
class mailboxes {
public:
  mailboxes(std::shared_ptr<std::byte> memory, std::vector<outbox> out, std::vector<inbox> in);
  mailboxes(mailboxes const&) = delete;
  mailboxes& operator=(mailboxes const&) = delete;
  ~mailboxes();

  /// Those to `peer`, and from it; nullptr if there are none. They stay where they are.
  outbox* to(int peer);
  inbox* from(int peer);

private:
  std::shared_ptr<std::byte> memory_;
  std::vector<outbox> out_;
  std::vector<inbox> in_;
};

/// Where a message of a run lies.
struct mailbox_place {
  enum class part { lines, room, nowhere };
  part in = part::nowhere;
  std::int64_t first = 0; ///< line, or byte
};

/// The places of messages of `lengths`, in the order of a schedule. The same at both ends. Local.
std::vector<mailbox_place> places_in_box(std::span<std::int64_t const> lengths,
                                         std::int64_t room_bytes);

/// A number below 65536 that most probably differs if `lengths` do. Local.
std::uint64_t check_of(std::span<std::int64_t const> lengths);

/// The mailboxes that the collectives of `over` use from now on: made when first asked for; nullptr
/// if shared memory is off, has no room, or is shared with nobody, and on bipartite and on large
/// complete communicators.
/// Collective: over `over`, the first time; local from then on.
std::shared_ptr<mailboxes> const& mailboxes_of(Communicator const& over);

} // namespace seam
