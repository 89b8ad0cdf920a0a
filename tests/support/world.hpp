/// The communicators that tests run on.
#pragma once

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/communicator.hpp>

namespace seam::testing {

/// A communicator of all ranks of the test run. Collective.
inline Communicator world() { return Communicator::dup(MPI_COMM_WORLD); }

/// The first `count` ranks of the run, or nothing on the others. Collective over all ranks.
inline mpi::comm first_ranks(int count) {
  mpi::comm_view const all(MPI_COMM_WORLD);
  return mpi::split(all, all.rank() < count ? 0 : MPI_UNDEFINED, all.rank());
}

} // namespace seam::testing
