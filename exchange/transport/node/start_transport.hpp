/// The transport of nonblocking calls: short messages to on-node neighbors go through
/// links that all calls use (start_links.hpp), unless too many calls are in flight; MPI sends the
/// others.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/transport/transport.hpp>

namespace seam::detail {

/// Returns what makes the transports of nonblocking calls on `over`; an empty function if it is no
/// graph of processes. A transport may be started again and again. All processes start the
/// transports of one graph in the same order; any number may be in flight.
///
/// Local, as named_transport::starts.
transport_maker starts_by_links(Communicator const& over);

} // namespace seam::detail
