/// How long a distributed vector is, in numbers that PETSc can count with.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>

namespace seam::detail {

/// PETSc's integers are of one size for all of a program; Debian's have 32 bits.
struct petsc_length {
  std::int64_t owned = 0, first = 0, all = 0; ///< of this rank, of those before it, of all ranks
};

/// The sums over ranks of the lengths of their parts.
/// @throws usage_error  the whole exceeds the integers of this PETSc (on all ranks)
/// Collective: over `over`.
petsc_length measure_length(mpi::comm_view over, std::int64_t num_owned);

} // namespace seam::detail
