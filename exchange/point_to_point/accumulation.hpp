/// Accumulations: operations of MPI on elements of one of its types, as numbers that all processes
/// understand.
#pragma once

#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/schedule/reduction.hpp>

#include <mpi.h>

namespace seam::detail {

/// Without an operation elements are replaced.
struct accumulation {
  int op = -1, type = -1;
};

/// The accumulation `op` of elements of the type of `values`.
/// @throws usage_error  MPI does not define it, or the type is a derived one or has gaps
/// Local.
accumulation accumulation_of(MPI_Op op, elements const& values);

/// The combiner of an accumulation; an empty one replaces. Local.
combiner combiner_of(accumulation const& how);

} // namespace seam::detail
