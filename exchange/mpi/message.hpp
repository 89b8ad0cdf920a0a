/// Progress of messages.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

namespace seam::mpi {

/// Lets the MPI library work on messages in flight; some libraries do so only within calls. It
/// looks for a message that does not exist: Open MPI makes no progress if it finds one. Local.
inline void make_progress(comm_view /*over*/) {
  constexpr int unused_tag = 32749;
  int found = 0;
  check(MPI_Iprobe(0, unused_tag, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
}

} // namespace seam::mpi
