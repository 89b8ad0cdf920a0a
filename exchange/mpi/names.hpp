/// Names of MPI's objects, for error lines.
#pragma once

#include <mpi.h>

#include <string>

namespace seam::mpi {

/// True if `op` is one of MPI's own. Local.
bool is_named(MPI_Op op);

/// "sum", or "an operation of the user". Local.
std::string name_of(MPI_Op op);

/// "MPI_INT", or "a derived type". Local.
std::string name_of(MPI_Datatype type);

/// "MPI_THREAD_SINGLE" to "MPI_THREAD_MULTIPLE". Local.
std::string name_of_thread_level(int level);

} // namespace seam::mpi
