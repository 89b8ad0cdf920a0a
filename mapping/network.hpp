/// Network: latency and time per byte of messages on this machine, by which schedules are chosen.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

namespace seam {

/// Latency and time per byte between the first and the last process of `over`: the values that
/// set_network() or the environment gave, else values measured once for each process.
///
/// The environment variable SEAM_NETWORK gives both, as seconds and seconds per byte: "1e-6,1e-10".
/// @throws usage_error  the variable holds no such pair (on all ranks)
/// Collective: over `over`; the same on all ranks.
/// Cost: milliseconds, the first time.
network_model network_of(Communicator const& over);

/// Makes `model` what network_of() returns; all ranks give the same.
/// Threads: any. Local.
void set_network(network_model const& model);

} // namespace seam
