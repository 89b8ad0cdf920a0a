/// The message transport: one persistent MPI point-to-point request for each step.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/schedule.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <memory>

namespace seam {

/// Channels for `steps` on `context`, all with `tag`.
///
/// @param staging  [steps.staging_bytes] stays where it is as long as the transport lives
/// @throws usage_error  a message exceeds what MPI's counts can say
/// Local: persistent requests match when they are started.
std::unique_ptr<transport> make_message_transport(mpi::comm_view context, int tag,
                                                  schedule const& steps, std::byte* staging);

} // namespace seam
