/// The communicators of endpoints in the C interface.
#pragma once

#include <seam/exchange/mpi/detail/context.hpp>

#include <mpi.h>

namespace seam::detail {

/// The context of `comm`, which the calling thread may use; nullptr: its ranks are processes.
/// @throws usage_error  `comm` is MPI_COMM_NULL, or the thread is attached to another endpoint
mpi::context* context_for(char const* call, MPI_Comm comm);

} // namespace seam::detail
