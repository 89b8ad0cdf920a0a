/// Boxes: memory of the node through which the blocking calls on one communicator exchange their
/// messages. They are made once, whatever is called later and with which buffers.
///
/// A process has boxes for each neighbor of its node that sends to it. A run is what one call sends
/// from one process to another: both ends know how many messages there are and how long they are,
/// and so where in the box each lies. Runs use two boxes in turn.
///
///     receiver's memory     head    how far the room has been filled, and for which run
///                           lines   short messages
///                           room    others, one behind the other
///     sender's memory       taken   the last run of which the receiver has everything
///
/// What fits nowhere goes by MPI.
#pragma once

#include <seam/exchange/communicator.hpp>
#include <seam/exchange/transport/shared/lines.hpp>
#include <seam/exchange/transport/shared/progress.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace seam {

/// The beginning of a box.
struct alignas(64) box_head {
  shared_word filled; ///< a run, and the bytes of its room that hold something
  shared_word check;  ///< of a run without lines: see check_of()
};

/// The words of box_head::filled.
using filled_room = progress<20>;

/// The two boxes for messages from one process to another.
struct box_layout {
  static constexpr std::int64_t num_lines = 64;

  std::byte* first = nullptr;
  std::int64_t room_bytes = 0;

  box_head& head(std::uint64_t run) const { return *reinterpret_cast<box_head*>(at(run)); }
  line* lines(std::uint64_t run) const {
    return reinterpret_cast<line*>(at(run) + sizeof(box_head));
  }
  std::byte* room(std::uint64_t run) const {
    return at(run) + sizeof(box_head) + num_lines * sizeof(line);
  }

  /// Of both. [bytes]
  static std::int64_t bytes(std::int64_t room) { return 2 * bytes_each(room); }

private:
  static std::int64_t bytes_each(std::int64_t room) {
    return std::int64_t{sizeof(box_head)} + num_lines * std::int64_t{sizeof(line)} + room;
  }
  std::byte* at(std::uint64_t run) const {
    return first + static_cast<std::int64_t>(run % 2) * bytes_each(room_bytes);
  }
};

/// The end of the boxes that this process sends to.
struct outbox {
  int peer;
  box_layout layout;
  shared_word const* taken;
  std::uint64_t run = 0;
  std::uint64_t awaited = 0; ///< the last run that the receiver says it has taken
};

/// The end of the boxes that this process receives from.
struct inbox {
  int peer;
  box_layout layout;
  shared_word* taken;
  std::uint64_t run = 0;
};

/// The boxes of a communicator. Threads: as its collectives.
class boxes {
public:
  boxes(std::shared_ptr<std::byte> memory, std::vector<outbox> out, std::vector<inbox> in);
  boxes(boxes const&) = delete;
  boxes& operator=(boxes const&) = delete;
  ~boxes();

  /// Those to `peer`, and from it; nullptr if there are none. They stay where they are.
  outbox* to(int peer);
  inbox* from(int peer);

private:
  std::shared_ptr<std::byte> memory_;
  std::vector<outbox> out_;
  std::vector<inbox> in_;
};

/// Where a message of a run lies.
struct box_place {
  enum class part { lines, room, nowhere };
  part in = part::nowhere;
  std::int64_t first = 0; ///< line, or byte
};

/// The places of messages of `lengths`, in the order of a schedule. The same at both ends. Local.
std::vector<box_place> places_in_box(std::span<std::int64_t const> lengths,
                                     std::int64_t room_bytes);

/// A number below 65536 that most probably differs if `lengths` do. Local.
std::uint64_t check_of(std::span<std::int64_t const> lengths);

/// The boxes that the collectives of `over` use from now on: made when first asked for; nullptr if
/// shared memory is off, has no room, or is shared with nobody, and on bipartite and on large
/// complete communicators.
/// Collective: over `over`, the first time; local from then on.
std::shared_ptr<boxes> boxes_of(Communicator const& over);

} // namespace seam
