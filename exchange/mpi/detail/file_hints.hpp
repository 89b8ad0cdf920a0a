/// Hints for files that processes of MPI write together.
#pragma once

#include <seam/exchange/mpi/detail/handle.hpp>

namespace seam::mpi {

/// Lets ROMIO, the files of MPICH, write collectively always: an error of one process then is one of
/// all. HDF5 waits for ever where some processes write alone and fail. Local.
hints written_together();

} // namespace seam::mpi
