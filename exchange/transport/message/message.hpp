/// The message transport: point-to-point messages, one for each step. Processes send messages of
/// MPI, endpoints their own (transport/endpoint).
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <functional>
#include <memory>

namespace seam::detail {

/// MPI libraries send messages up to about this length within the call, together with their
/// envelope; each longer one costs twice the time. [bytes]
inline constexpr std::int64_t longest_short_message = 256;

/// The most messages that `steps` exchanges with one peer in one direction. Local.
int num_channels(schedule const& steps);

/// Makes persistent requests for `steps` on `context`. The k-th message to a peer has the tag
/// `first_tag` + k, so that messages match in whatever order they are sent.
///
/// @param staging  [steps.staging_bytes] stays where it is as long as the transport lives
/// Local: persistent requests match when they are started.
std::unique_ptr<transport> make_message_transport(mpi::comm_view context, int first_tag,
                                                  schedule const& steps, std::byte* staging);

/// Makes new requests at every start, for operations that are started once or a few times. All
/// messages of a start have the tag that `draw_tag` returns, the same on all ranks; messages to one
/// peer are sent in the order of the steps.
///
/// @param staging  as above
/// Local.
std::unique_ptr<transport> make_immediate_transport(mpi::comm_view context,
                                                    std::function<int()> draw_tag,
                                                    schedule const& steps, std::byte* staging);

} // namespace seam::detail
