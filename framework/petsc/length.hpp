/// Lengths of distributed vectors that fit into PETSc's integers.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>

namespace seam::detail {

/// Numbers of values of a distributed vector. PETSc's integers have one size in a program: 32 bits
/// in Debian's PETSc.
struct petsc_length {
  std::int64_t owned = 0, first = 0, all = 0; ///< of this rank, of the ranks below it, of all ranks
};

/// Sums up the numbers of values that the ranks own.
/// @throws usage_error  the sum exceeds the integers of this PETSc (on all ranks)
/// Collective: over `over`.
petsc_length measure_length(mpi::comm_view over, std::int64_t num_owned);

} // namespace seam::detail
