/// Communicators made from others: one checked function for each of MPI's calls, which all
/// processes make together.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

namespace seam::mpi {

/// A new context with the same processes that returns errors instead of ending the program.
/// Collective: over `over`.
comm dup(comm_view over);

/// One communicator per color, ranks ordered by key; empty for color MPI_UNDEFINED.
/// No topology or attribute is inherited.
/// Collective: over `over`.
comm split(comm_view over, int color, int key);

/// The processes that share memory with the caller, in the order of their ranks in `over`.
/// Collective: over `over`.
comm split_shared(comm_view over);

/// The processes that share the resource `type` with the caller, ordered by key; empty for
/// MPI_UNDEFINED.
/// Collective: over `over`.
comm split_type(comm_view over, int type, int key, MPI_Info info);

/// A fully connected communicator of all processes of `over`: itself, or one of both sides if it is
/// bipartite, which is made by the first call, kept with `over` and freed with it.
///
/// Where the processes of two sides wait for each other without blocking, they do it on this one:
/// MPI_Ibarrier of Open MPI 4.1 lets processes go before all of the other side have come.
/// Collective: over `over`.
comm_view all_processes(comm_view over);

} // namespace seam::mpi
