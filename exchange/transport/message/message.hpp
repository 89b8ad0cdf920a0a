/// The message transport: one persistent MPI point-to-point request for each step.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/schedule.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <memory>

namespace seam {

/// The most messages that `steps` exchanges with one peer in one direction. Local.
int num_channels(schedule const& steps);

/// Channels for `steps` on `context`. The k-th message to a peer has the tag `first_tag` + k, so
/// that messages find each other in whatever order they are sent.
///
/// @param staging  [steps.staging_bytes] stays where it is as long as the transport lives
/// @throws usage_error  a message exceeds what MPI's counts can say
/// Local: persistent requests match when they are started.
std::unique_ptr<transport> make_message_transport(mpi::comm_view context, int first_tag,
                                                  schedule const& steps, std::byte* staging);

} // namespace seam
