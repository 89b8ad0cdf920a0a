/// The combiner that calls an operation of MPI.
#pragma once

#include <seam/exchange/schedule/detail/reduction.hpp>

#include <mpi.h>

namespace seam {

/// into = from op into, for elements of `type` one behind the other. Local.
combiner combiner_of(MPI_Op op, MPI_Datatype type);

} // namespace seam
