/// A bipartite communicator for tests.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

namespace seam::testing {

/// The lower half of the ranks on one side, the others on the other.
struct two_sides {
  explicit two_sides(Communicator const& world)
      : rank(world.rank()),
        low(rank < (world.size() + 1) / 2),
        comm(*world.two_sides(low ? 0 : 1)) {
    own = comm.size();
    remote = world.size() - own;
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
