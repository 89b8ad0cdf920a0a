/// The largest tag of messages.
#pragma once

namespace seam::mpi {

/// The largest tag of the MPI library, MPI_TAG_UB: 32767 or more. Local.
int largest_tag();

} // namespace seam::mpi
