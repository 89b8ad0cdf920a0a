/// Functions that have to run before MPI ends, while its calls still work.
#pragma once

namespace seam::mpi {

/// MPI_Finalize calls `act` before it does anything else; of several functions it calls the one that
/// was given last first. Threads: any. Local.
void before_end(void (*act)());

} // namespace seam::mpi
