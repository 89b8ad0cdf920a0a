/// What has to be done before MPI ends, while its calls still work.
#pragma once

namespace seam::mpi {

/// MPI_Finalize calls `act` as one of its first acts, the one that was given last before the
/// others. Threads: any. Local.
void before_end(void (*act)());

} // namespace seam::mpi
