/// A barrier of messages, the same for all MPI libraries.
#pragma once

#include <seam/exchange.hpp>

namespace guidelines {

/// Returns when all processes have called: in round k each process sends to the one 2^k above it
/// and receives from the one 2^k below.
/// Collective: over `over`.
/// Source: [Luebbe2017] sec. 3.1.
void dissemination_barrier(seam::mpi::comm_view over);

} // namespace guidelines
