/// A bipartite communicator for tests.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

namespace seam::testing {

/// The lower half of the ranks on one side, the others on the other.
struct two_sides {
  explicit two_sides(Communicator const& world)
      : rank(world.rank()), low(rank < (world.size() + 1) / 2), comm(make(world)) {
    own = comm.size();
    remote = world.size() - own;
  }

  Communicator make(Communicator const& world) const {
    auto const half = world.split(low ? 0 : 1, rank);
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Intercomm_create(half->view().native(), 0, world.view().native(),
                         low ? (world.size() + 1) / 2 : 0, 3, &between);
    return Communicator::from_native(between);
  }

  /// The root argument of this process for rank 0 of the low side, or of the other.
  int root(bool is_low) const {
    if (low != is_low)
      return 0;
    return comm.rank() == 0 ? MPI_ROOT : MPI_PROC_NULL;
  }

  int rank;
  bool low;
  Communicator comm;
  int own = 0, remote = 0;
};

} // namespace seam::testing
