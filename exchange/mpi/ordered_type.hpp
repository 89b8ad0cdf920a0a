/// Datatypes and operations by which the MPI library compares values correctly.
#pragma once

#include <mpi.h>

namespace seam::mpi {

/// The type by which elements of `type` are combined: `type` itself, or a type of the same values
/// where the MPI library compares unsigned values as signed ones (MPI_UNSIGNED_LONG in MPI_MIN and
/// MPI_MAX of Open MPI 4.1). Local.
MPI_Datatype ordered_type(MPI_Op op, MPI_Datatype type);

/// The operation by which elements of `type` are combined: `op` itself, or seam's own where the MPI
/// library compares unsigned values of all types as signed ones (MPI_MIN and MPI_MAX of MPICH 4.0).
/// Local.
MPI_Op ordered_op(MPI_Op op, MPI_Datatype type);

/// True if MPI combines elements of `type` by `op`; operations of users combine any type. Local.
bool is_defined_for(MPI_Op op, MPI_Datatype type);

} // namespace seam::mpi
