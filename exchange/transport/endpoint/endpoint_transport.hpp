/// The transport of endpoints: their messages, one for each step. A message inside a process is
/// copied once, by the endpoint that comes last, from its source to its target.
#pragma once

#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace seam::detail {

/// The tags of messages: of each send step and each receive step, counted from the tag that a start
/// draws.
struct tags_of_steps {
  std::vector<int> sends, receives; ///< empty: all have the tag of the start
};

/// Makes the transport of `steps`, which allocates nothing after this.
///
/// @param over      of `context`; stays as long as the transport lives
/// @param draw_tag  called at each start; the same on all ranks
/// @param staging   [steps.staging_bytes] as above
/// Local.
std::unique_ptr<transport> make_endpoint_transport(mpi::context& over,
                                                   std::function<int()> draw_tag,
                                                   tags_of_steps tags, schedule const& steps,
                                                   std::byte* staging);

} // namespace seam::detail
