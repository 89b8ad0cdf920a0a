/// The links through which the blocking calls on one communicator exchange their messages. They are
/// made once, and serve all later calls with any buffers.
///
/// A process has a link from each process of its node that sends to it (call_messages.hpp).
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/transport/node/call_messages.hpp>
#include <seam/exchange/transport/node/links.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace seam::detail {

/// An end of a link, and its epochs so far.
template <class Link>
struct call_end {
  int peer;
  Link by;
  std::uint64_t epoch = 0;                                      ///< the last call
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

/// The links of the collectives of `over`, made at the first call; nullptr if shared memory is off
/// or used up, if no other process shares it, and on bipartite and large complete communicators.
/// Collective: over `over`, the first time; local from then on.
std::shared_ptr<call_links> const& call_links_of(Communicator const& over);

} // namespace seam::detail
