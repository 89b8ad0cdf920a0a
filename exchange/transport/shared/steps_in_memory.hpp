/// The steps of operations that the memory of the node carries.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/named_transport.hpp>

#include <span>

namespace seam {

/// Chooses the steps whose peers are on-node, without the long messages of a schedule if the node's
/// memory would be slower for one of them; none if shared memory is off or used up, and on
/// bipartite communicators.
///
/// @param left  as many on all ranks, unless shared memory is off or the communicator is bipartite
/// @throws usage_error  (on all ranks) the two ends of a message differ in length
/// Collective: over `over`, as named_transport::operations.
carried_operations steps_in_memory(Communicator const& over, std::span<schedule const> left);

} // namespace seam
