/// The datatypes that MPI's operations are defined for.
#pragma once

#include <mpi.h>

namespace seam::mpi {

/// True if MPI combines elements of `type` by `op`; operations of users combine any type. Local.
bool is_defined_for(MPI_Op op, MPI_Datatype type);

} // namespace seam::mpi
