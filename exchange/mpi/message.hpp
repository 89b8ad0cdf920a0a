/// Blocking messages between two processes, checked and typed.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/datatype.hpp>

#include <span>

namespace seam::mpi {

/// Sends `values` to `destination`. Returns when they may be overwritten.
template <class T>
void send(comm_view over, std::span<T const> values, int destination, int tag) {
  check(MPI_Send(values.data(), narrow(std::ssize(values), "MPI_Send"), datatype_of<T>(),
                 destination, tag, over.native()),
        "MPI_Send");
}

/// Receives as many values as `values` holds from `source`, and waits for them.
template <class T>
void receive(comm_view over, std::span<T> values, int source, int tag) {
  check(MPI_Recv(values.data(), narrow(std::ssize(values), "MPI_Recv"), datatype_of<T>(), source,
                 tag, over.native(), MPI_STATUS_IGNORE),
        "MPI_Recv");
}

/// Lets the MPI library work on messages in flight; some libraries do so only within calls. It
/// looks for a message that does not exist: Open MPI makes no progress if it finds one. Local.
inline void make_progress(comm_view /*over*/) {
  constexpr int unused_tag = 32749;
  int found = 0;
  check(MPI_Iprobe(0, unused_tag, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
}

} // namespace seam::mpi
