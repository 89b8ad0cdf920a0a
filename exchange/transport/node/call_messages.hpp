/// The messages of calls in links: where each message of a call lies in the link with its peer, and
/// how it is written and read there. Blocking and nonblocking calls do both alike.
///
/// An epoch of a link is one call in which one process sends to the other: both ends know how many
/// messages there are and how long they are, and so where each lies. Short ones lie in lines,
/// longer ones one after another in a slot; those that fit into neither are sent by MPI.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/node/memory_transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace seam::detail {

/// What a link has for the messages of an epoch.
struct call_room {
  std::int64_t lines, slot_bytes;
};

/// Where a message lies in its link.
struct call_place {
  enum class part { lines, slot, nowhere };
  part in = part::nowhere;
  std::int64_t first = 0; ///< index of its first line, or byte of the slot
};

/// The place of each message, in the order of a schedule; both ends compute the same places.
///
/// @param lengths  of the messages [bytes]
/// Local.
std::vector<call_place> places_in_link(std::span<std::int64_t const> lengths, call_room room);

/// A number below 65536 that most probably differs if `lengths` do. Local.
std::uint64_t check_of(std::span<std::int64_t const> lengths);

/// The messages that a call exchanges with one peer in one direction.
struct peer_messages {
  int peer;
  std::uint64_t check;           ///< of the lengths of all
  bool has_lines = false;        ///< some messages lie in lines; the first has the check
  bool has_slot = false;         ///< some messages lie in a slot
  bool goes_both_ways;           ///< there are messages in the other direction, too
  std::int64_t num_messages = 0; ///< in the link

  /// The mark of the lines of an epoch: its number, and the check.
  std::uint64_t mark(std::uint64_t epoch) const { return epoch << 16 | check; }
};

/// Where the message of a step lies in the link with its peer.
struct call_message {
  static constexpr int no_link = -1;

  int k = no_link; ///< index of the peer
  call_place place{};
};

/// The messages of a schedule in one direction.
struct call_direction {
  std::vector<peer_messages> peers;   ///< with links
  std::vector<call_message> messages; ///< [steps]
};

/// Plans the messages of `steps` in links; `others` are the steps of the other direction.
///
/// @param room_of  returns the room of the link with a peer, or nullopt if there is none
/// Local.
template <class Step, class Other, class RoomOf>
call_direction plan_direction(std::vector<Step> const& steps, std::vector<Other> const& others,
                              RoomOf room_of) {
  call_direction made;
  made.messages.resize(steps.size());
  std::map<int, std::vector<int>> peers2steps;
  for (int s = 0; s < std::ssize(steps); ++s)
    peers2steps[steps[s].peer].push_back(s);
  for (auto const& [peer, list] : peers2steps) {
    auto const room = room_of(peer);
    if (!room)
      continue;
    std::vector<std::int64_t> lengths;
    for (int s : list)
      lengths.push_back(steps[s].wire.bytes);
    auto const found = places_in_link(lengths, *room);
    bool const has_answer = std::ranges::find(others, peer, &Other::peer) != others.end();
    peer_messages planned{.peer = peer, .check = check_of(lengths), .goes_both_ways = has_answer};
    for (int n = 0; n < std::ssize(list); ++n) {
      made.messages[list[n]] = {static_cast<int>(made.peers.size()), found[n]};
      planned.has_lines = planned.has_lines || found[n].in == call_place::part::lines;
      planned.has_slot = planned.has_slot || found[n].in == call_place::part::slot;
      planned.num_messages += found[n].in == call_place::part::nowhere ? 0 : 1;
    }
    made.peers.push_back(planned);
  }
  return made;
}

/// Refuses the messages of `peer`, which have other lengths than process `rank` expects.
[[noreturn]] void refuse_lengths(int peer, int rank);

/// Base of a transport `Self` of calls: see memory_transport.
template <class Self>
class call_messages : public memory_transport<Self> {
protected:
  using memory_transport<Self>::memory_transport;

  /// Shows an epoch without lines by the mark of its first line.
  static void show(peer_messages const& to, link_end const& by, std::uint64_t epoch) {
    if (!to.has_lines)
      by.lines_in(epoch)->epoch.store(to.mark(epoch), std::memory_order_release);
  }

  /// Puts the message of send step `s` at its place in the link. Messages to one peer are sent in
  /// the order of their places.
  void put(int s, call_place place, peer_messages const& to, sending_link const& by,
           std::uint64_t epoch) const {
    if (place.in == call_place::part::lines)
      this->write(s, by.lines_in(epoch) + place.first, to.mark(epoch));
    else
      this->pack_in_slot(s, by, epoch, place.first);
  }

  /// Takes the message of receive step `r` from its place, as far as it is there; true if it is
  /// whole.
  bool get(int r, call_place place, peer_messages const& from, receiving_link const& by,
           std::uint64_t epoch) {
    if (place.in == call_place::part::lines)
      return this->read(r, by.lines_in(epoch) + place.first, from.mark(epoch));
    std::int64_t const here = packed_in_slot(from, by, epoch) - place.first;
    std::int64_t const length = this->wires_.steps().receives[r].wire.bytes;
    return this->follow(r, by.slot_in(epoch) + place.first,
                        std::clamp<std::int64_t>(here, 0, length));
  }

  /// Refuses an epoch whose first line is of messages of other lengths.
  void check_lengths(peer_messages const& from, link_end const& by, std::uint64_t epoch) const {
    std::uint64_t const mark = by.lines_in(epoch)->epoch.load(std::memory_order_acquire);
    if (mark != from.mark(epoch) && mark >> 16 == epoch)
      refuse_lengths(from.peer, this->context_.rank());
  }

private:
  /// The bytes in the slot, once the first line has the mark of this epoch: a sender without short
  /// messages writes it before it fills the slot, others with a message for which this process
  /// waits, too.
  std::int64_t packed_in_slot(peer_messages const& from, receiving_link const& by,
                              std::uint64_t epoch) const {
    if (by.lines_in(epoch)->epoch.load(std::memory_order_acquire) == from.mark(epoch))
      return by.packed(epoch);
    check_lengths(from, by, epoch);
    return 0;
  }
};

} // namespace seam::detail
