/// Combiners that call an operation of MPI.
#pragma once

#include <seam/exchange/schedule/reduction.hpp>

#include <mpi.h>

namespace seam::detail {

/// The combiner into = from op into, for contiguous elements of `type`. Local.
combiner combiner_of(MPI_Op op, MPI_Datatype type);

} // namespace seam::detail
