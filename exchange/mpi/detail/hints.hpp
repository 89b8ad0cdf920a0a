/// Hints for windows, and for files that processes write together.
#pragma once

#include <seam/exchange/mpi/detail/handle.hpp>

namespace seam::mpi {

/// Lets each process's part begin where its processor likes it, instead of right behind the part
/// before. MPICH 4.0 needs it for parts of a few bytes, too: without it accesses to other processes
/// reach the own part. Local.
hints parts_apart();

/// Lets ROMIO, the files of MPICH, write collectively always: an error of one process then is one of
/// all. HDF5 waits for ever where some processes write alone and fail. Local.
hints written_together();

} // namespace seam::mpi
