/// Network: what messages cost on this machine, in the two numbers by which schedules are chosen.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

namespace seam {

/// Latency and time per byte between the first and the last process of `over`: what set_network()
/// or the environment gave, else measured once for each process.
///
/// The environment variable SEAM_NETWORK gives both, as seconds and seconds per byte: "1e-6,1e-10".
/// @throws usage_error  it does not (on all ranks)
/// Collective: over `over`; the same on all ranks. Cost: milliseconds, the first time.
network_model network_of(Communicator const& over);

/// Makes `model` what network_of() returns; all ranks give the same. Local.
void set_network(network_model const& model);

} // namespace seam
