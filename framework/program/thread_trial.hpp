/// A trial of MPI_THREAD_MULTIPLE by several threads that call MPI at once.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <chrono>

namespace seam::detail {

/// True on all ranks if `num_threads` threads of each rank exchange correct messages at once within
/// `limit`. Requires MPI_THREAD_MULTIPLE.
/// Collective: over `over`.
bool threads_may_call_together(mpi::comm_view over, int num_threads,
                               std::chrono::milliseconds limit);

} // namespace seam::detail
