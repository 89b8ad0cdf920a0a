/// The transport of blocking calls inside a node: all calls on a communicator use the same links.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/mixed/mixed.hpp>

#include <optional>

namespace seam::detail {

/// Chooses the steps of a blocking call whose messages fit into the links of `over`; nothing if it
/// has none. All processes start the transports made by the results in the same order, each
/// start after the one before is complete.
///
/// Collective: over `over`, the first time; local from then on, as named_transport::calls.
std::optional<carried_steps> steps_by_call_links(Communicator const& over, schedule const& steps);

} // namespace seam::detail
