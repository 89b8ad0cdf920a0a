/// The links through which the blocking calls on one communicator exchange their messages. They are
/// made once, and serve all later calls with any buffers.
///
/// A process has a link from each process of its node that sends to it. An epoch is one call in
/// which one process sends to the other: both ends know how many messages there are and how long
/// they are, and so where each lies. Short ones lie in lines, longer ones one behind the other in a
/// slot; those that fit into neither are sent by MPI.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/transport/node/links.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

/// An end of a link, and its epochs so far.
template <class Link>
struct call_end {
  int peer;
  Link by;
  std::uint64_t epoch = 0;
  std::array<std::uint64_t, places_of_slots> epochs_of_slots{}; ///< that used each slot last
};

using call_sender = call_end<sending_link>;
using call_receiver = call_end<receiving_link>;

/// This process's ends of the links of a communicator.
/// Threads: as the communicator's collectives.
class call_links {
public:
  /// @param sends, receives  the peers of `ends`, ascending
  call_links(std::shared_ptr<links> ends, std::vector<int> const& sends,
             std::vector<int> const& receives);
  call_links(call_links const&) = delete;
  call_links& operator=(call_links const&) = delete;
  ~call_links();

  /// The end of the link to, or from, `peer`, at a fixed address; nullptr if there is none.
  call_sender* to(int peer);
  call_receiver* from(int peer);

private:
  std::shared_ptr<links> ends_;
  std::vector<call_sender> out_;
  std::vector<call_receiver> in_;
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
std::vector<call_place> places_in_link(std::span<std::int64_t const> lengths,
                                       std::int64_t slot_bytes);

/// A number below 65536 that most probably differs if `lengths` do. Local.
std::uint64_t check_of(std::span<std::int64_t const> lengths);

/// The links of the collectives of `over`, made at the first call; nullptr if shared memory is off
/// or used up, if no other process shares it, and on bipartite and large complete communicators.
/// Collective: over `over`, the first time; local from then on.
std::shared_ptr<call_links> const& call_links_of(Communicator const& over);

} // namespace seam::detail
