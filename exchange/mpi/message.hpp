/// Progress of messages.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

namespace seam::mpi {

/// Lets the MPI library work on messages in flight; some libraries do so only within calls. It
/// looks for a message that does not exist: Open MPI makes no progress if it finds one, and MPICH
/// none if it looks on a communicator of one process. Local.
/// @param over  a communicator on which seam alone sends
inline void make_progress([[maybe_unused]] comm_view over) {
  constexpr int unused_tag = 32749;
  int found = 0;
#if defined(OPEN_MPI)
  auto const look_on = MPI_COMM_SELF;
#else
  int num_processes = 0; // of which an endpoint's communicator has fewer than ranks
  check(MPI_Comm_size(over.native(), &num_processes), "MPI_Comm_size");
  auto const look_on = num_processes > 1 ? over.native() : MPI_COMM_WORLD;
#endif
  check(MPI_Iprobe(0, unused_tag, look_on, &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
}

} // namespace seam::mpi
