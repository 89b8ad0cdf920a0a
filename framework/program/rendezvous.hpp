/// Rendezvous: where all ranks meet before the end, so that none leaves while others depend on it.
#pragma once

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <chrono>
#include <limits>
#include <optional>

namespace seam::detail {

/// A meeting place of its own communicator: what happens there disturbs no other traffic.
class rendezvous {
public:
  using seconds = std::chrono::duration<double>;
  static constexpr seconds forever{std::numeric_limits<double>::infinity()};

  /// Collective: over `over`.
  explicit rendezvous(mpi::comm_view over) : over_(mpi::dup(over)) {}

  /// Waits until all ranks have come. Returns the lowest rank that came with `failed` set, or the
  /// number of ranks if none did; nothing if somebody did not come within `limit`, after which the
  /// job can only be ended. Gives the core away while it waits.
  std::optional<int> meet(bool failed, seconds limit = forever);

private:
  mpi::comm over_;
  int mine_ = 0, lowest_ = 0; ///< used by MPI until the meeting is over
};

} // namespace seam::detail
