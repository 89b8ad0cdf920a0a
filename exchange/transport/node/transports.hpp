/// The transports inside a node: of blocking calls, of nonblocking ones, and of prepared operations.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/mixed/mixed.hpp>
#include <seam/exchange/transport/named_transport.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <optional>
#include <span>

namespace seam::detail {

/// Chooses the steps of a blocking call whose messages fit into the links of `over`; nothing if it
/// has none. All processes start the transports made by the results in the same order, each
/// start after the one before is complete.
///
/// Collective: over `over`, the first time; local from then on, as named_transport::calls.
std::optional<carried_steps> steps_by_call_links(Communicator const& over, schedule const& steps);

/// Returns what makes the transports of nonblocking calls on `over`; an empty function if it is no
/// graph of processes. A transport may be started again and again. All processes start the
/// transports of one graph in the same order; any number may be in flight.
///
/// Local, as named_transport::starts.
transport_maker starts_by_links(Communicator const& over);

/// Chooses the steps whose peers are on-node, without the long messages of a schedule if the node's
/// memory would be slower for one of them; none if shared memory is off or used up, and on
/// bipartite communicators.
///
/// @param left  as many on all ranks, unless shared memory is off or the communicator is bipartite
/// @throws usage_error  (on all ranks) the two ends of a message differ in length
/// Collective: over `over`, as named_transport::operations.
carried_operations steps_by_prepared_links(Communicator const& over,
                                           std::span<schedule const> left);

} // namespace seam::detail
