/// Explanations: programs that are asked to (--explain, SEAM_EXPLAIN=on) tell what their exchanges
/// cost, when these are made. Who exchanges says so to explain(); who talks to people decides with
/// explain_to() where that goes.
///
///     mapping: guillotine: node 24/8 to 16/4; 8 of 16 ranks moved in 1.2 ms on 'node:4 rank:4'
///     exchange among 16 ranks, of which rank 0 sends 256 bytes to 2 others
///       rank 1: 128 bytes, 1 message by the memory of the node
///       rank 4: 128 bytes, 1 message by MPI
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <functional>
#include <string>

namespace seam {

/// Sends explanations to `listener` from now on; to nobody if it is empty, as at first. Local.
void explain_to(std::function<void(std::string const&)> listener);

/// True if somebody listens. Local.
bool explanations_are_on();

/// Gives what make_text() returns to the listener on rank 0 of `over`, unless it has been told the
/// same before. Without effect elsewhere, or if nobody listens. Local.
void explain(mpi::comm_view over, std::function<std::string()> const& make_text);

} // namespace seam
