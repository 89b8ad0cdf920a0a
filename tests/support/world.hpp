/// The communicators that tests run on.
#pragma once

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/communicator.hpp>

#ifdef SEAM_TEST_ON_ENDPOINTS
#include <support/endpoint_cases.hpp>
#endif

namespace seam::testing {

/// All ranks of the test run: processes, or endpoints (endpoint_cases.hpp).
inline mpi::comm_view all_ranks() {
#ifdef SEAM_TEST_ON_ENDPOINTS
  return endpoint_of_test.comm;
#else
  return MPI_COMM_WORLD;
#endif
}

/// A communicator of all ranks of the test run. Collective.
inline Communicator world() { return Communicator::dup(all_ranks()); }

/// The first `count` ranks of the run, or nothing on the others. Collective over all ranks.
inline mpi::comm first_ranks(int count) {
  mpi::comm_view const all = all_ranks();
  return mpi::split(all, all.rank() < count ? 0 : MPI_UNDEFINED, all.rank());
}

} // namespace seam::testing
