/// A trial of what MPI_THREAD_MULTIPLE promises.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <chrono>

namespace seam::detail {

/// True if several threads of each rank sent and received at once what they should have, within the
/// limit. The same on all ranks. Collective: over `over`, in the level MPI_THREAD_MULTIPLE.
bool threads_may_call_together(mpi::comm_view over, int num_threads,
                               std::chrono::milliseconds limit);

} // namespace seam::detail
