/// The transport of nonblocking calls: short messages to on-node neighbors go through
/// links that all calls use (start_links.hpp), unless too many calls are in flight; MPI sends the
/// others.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/node/start_links.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <functional>
#include <memory>

namespace seam::detail {

/// Makes the transport of a call that may be started again and again. All processes start the
/// transports of one graph in the same order; any number may be in flight.
///
/// @param draw_tag  the tag of a start, the same on all ranks
/// @param staging   [steps.staging_bytes]
/// Local.
std::unique_ptr<transport> make_start_transport(std::shared_ptr<start_links> links,
                                                std::function<int()> draw_tag,
                                                schedule const& steps, std::byte* staging);

} // namespace seam::detail
