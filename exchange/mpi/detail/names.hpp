/// Names of MPI's objects, for error lines.
#pragma once

#include <mpi.h>

#include <array>
#include <string>
#include <string_view>

namespace seam::mpi {

/// True if `op` is one of MPI's own. Local.
bool is_named(MPI_Op op);

/// "sum", "operation 1a2b3c4d of the user" if keep_name() has been called for it, else "an
/// operation of the user". Local.
std::string name_of_op(MPI_Op op);

/// Makes name_of_op(op) tell `op` from other operations of the user: the number is that of `name`,
/// by which all ranks of a program call the same operation. Local.
void keep_name(MPI_Op op, std::string_view name);

/// "MPI_INT", or "a derived type". Local.
std::string name_of_type(MPI_Datatype type);

/// The name of this process's host, which ends with a 0. Local.
std::array<char, MPI_MAX_PROCESSOR_NAME> processor_name();

/// "MPI_THREAD_SINGLE" to "MPI_THREAD_MULTIPLE". Local.
std::string name_of_thread_level(int level);

} // namespace seam::mpi
