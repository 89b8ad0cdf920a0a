/// The shared transport carries on-node messages through the memory of the node, without MPI.
#pragma once

#include <seam/exchange/transport/shared/channels.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <memory>

namespace seam {

/// Carries `steps`, for which `ends` have been made.
///
/// The receiver copies a lent message from the sender's sources to its own targets. A sender that
/// waits long for that takes its offer back and packs the sources, so that it only depends on its
/// receivers having started, as with messages of MPI.
///
/// @param context  lets the MPI library make progress during long waits
/// @param staging  [steps.staging_bytes] stays where it is as long as the transport lives
/// Local.
std::unique_ptr<transport> make_shared_transport(mpi::comm_view context,
                                                 std::shared_ptr<channels const> ends,
                                                 schedule const& steps, std::byte* staging);

} // namespace seam
