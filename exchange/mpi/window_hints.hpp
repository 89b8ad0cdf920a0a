/// Hints for windows that the MPI library allocates.
#pragma once

#include <seam/exchange/mpi/detail/handle.hpp>

namespace seam::mpi {

/// Lets each process's part begin where its processor likes it, instead of right behind the part
/// before. MPICH 4.0 needs it for parts of a few bytes, too: without it accesses to other processes
/// reach the own part. Local.
hints parts_apart();

} // namespace seam::mpi
