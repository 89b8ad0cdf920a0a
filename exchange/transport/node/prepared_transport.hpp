/// The transport of prepared operations inside a node: each message has a link of its own, whose
/// ends agree on its length when the operation is made.
///
/// The receiver copies a lent message from the sender's sources to its own targets. A sender that
/// waits long for that takes its offer back and packs the sources, so that it only depends on its
/// receivers having started, as with messages of MPI.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/named_transport.hpp>

#include <span>

namespace seam::detail {

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
