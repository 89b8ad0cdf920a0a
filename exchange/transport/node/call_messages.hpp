/// The messages of calls in links: where each message of a call lies in the link with its peer, and
/// how it is written and read there. Blocking and nonblocking calls do both alike.
///
/// An epoch of a link is one call in which one process sends to the other: both ends know how many
/// messages there are and how long they are, and so where each lies. Short ones lie in lines,
/// longer ones one behind the other in a slot; those that fit into neither are sent by MPI. Only
/// epochs with longer messages use slots, and count them.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/node/memory_transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// An epoch as an end of a link counts it.
struct call_epoch {
  std::uint64_t number = 0; ///< of calls
  std::uint64_t slot = 0;   ///< of calls that used the slot
};

/// The messages that a call exchanges with one peer in one direction.
struct peer_messages {
  int peer;
  std::uint64_t check;           ///< of the lengths of all
  bool has_lines = false;        ///< some messages lie in lines, of which the first has the check
  bool has_slot = false;         ///< some messages lie in a slot
  bool goes_both_ways;           ///< there are messages in the other direction, too
  std::int64_t num_messages = 0; ///< in the link

  /// The mark of the lines of an epoch: its number, and the check.
  std::uint64_t mark(call_epoch const& in) const { return in.number << 16 | check; }
};

/// Where the message of a step lies in the link with its peer.
struct call_message {
  static constexpr std::size_t no_link = std::numeric_limits<std::size_t>::max();

  std::size_t k = no_link; ///< index of the peer
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
  std::map<int, std::vector<std::size_t>> peers2steps;
  for (std::size_t s = 0; s < steps.size(); ++s)
    peers2steps[steps[s].peer].push_back(s);
  for (auto const& [peer, list] : peers2steps) {
    auto const room = room_of(peer);
    if (!room)
      continue;
    std::vector<std::int64_t> lengths;
    for (std::size_t s : list)
      lengths.push_back(steps[s].wire.bytes);
    auto const found = places_in_link(lengths, *room);
    bool const has_answer = std::ranges::find(others, peer, &Other::peer) != others.end();
    peer_messages planned{.peer = peer, .check = check_of(lengths), .goes_both_ways = has_answer};
    for (std::size_t n = 0; n < list.size(); ++n) {
      made.messages[list[n]] = {made.peers.size(), found[n]};
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
  static void show(peer_messages const& to, link_end const& by, call_epoch const& in) {
    if (!to.has_lines)
      by.lines_in(in.number)->epoch.store(to.mark(in), std::memory_order_release);
  }

  /// Puts the message of send step `s` at its place in the link. Messages to one peer are sent in
  /// the order of their places.
  void put(std::size_t s, call_place place, peer_messages const& to, sending_link const& by,
           call_epoch const& in) const {
    if (place.in == call_place::part::lines)
      this->write(s, by.lines_in(in.number) + place.first, to.mark(in));
    else
      this->pack_in_slot(s, by, in.slot, place.first);
  }

  /// Takes the message of receive step `r` from its place, as far as it is there; true if it is
  /// whole.
  bool get(std::size_t r, call_place place, peer_messages const& from, receiving_link const& by,
           call_epoch const& in) {
    if (place.in == call_place::part::lines)
      return this->read(r, by.lines_in(in.number) + place.first, from.mark(in));
    std::int64_t const here = by.packed(in.slot) - place.first;
    if (here > 0 && this->read_[r] == 0)
      check_slot(from, by, in);
    std::int64_t const length = this->wires_.steps().receives[r].wire.bytes;
    return this->follow(r, by.slot_in(in.slot) + place.first,
                        std::clamp<std::int64_t>(here, 0, length));
  }

  /// Refuses an epoch whose first line is of messages of other lengths.
  void check_lengths(peer_messages const& from, link_end const& by, call_epoch const& in) const {
    std::uint64_t const mark = by.lines_in(in.number)->epoch.load(std::memory_order_acquire);
    if (mark != from.mark(in) && mark >> 16 == in.number)
      refuse_lengths(from.peer, this->context_.rank());
  }

private:
  /// Refuses a slot whose sender has noted another check. A sender without short messages notes it
  /// before it fills the slot; other senders write it into lines, for which this process waits,
  /// too.
  void check_slot(peer_messages const& from, link_end const& by, call_epoch const& in) const {
    if (!from.has_lines &&
        by.lines_in(in.number)->epoch.load(std::memory_order_acquire) != from.mark(in)) [[unlikely]]
      refuse_lengths(from.peer, this->context_.rank());
  }
};

} // namespace seam::detail
