/// Types whose values the MPI library compares rightly.
#pragma once

#include <mpi.h>

namespace seam::mpi {

/// The type by which elements of `type` are combined: `type` itself, or one of the same values
/// where the MPI library takes unsigned ones for signed (MPI_UNSIGNED_LONG in MPI_MIN and MPI_MAX,
/// by Open MPI 4.1). Local.
MPI_Datatype ordered_type(MPI_Op op, MPI_Datatype type);

} // namespace seam::mpi
