/// Common end: a barrier before the end, so that no rank leaves while others depend on it.
#pragma once

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <chrono>
#include <limits>
#include <optional>

namespace seam::detail {

/// A barrier with a time limit over a communicator of its own, whose messages meet no others.
class common_end {
public:
  using seconds = std::chrono::duration<double>;
  static constexpr seconds forever{std::numeric_limits<double>::infinity()};

  /// Collective: over `over`.
  explicit common_end(mpi::comm_view over) : over_(mpi::dup(over)) {}

  /// Waits until all ranks have called it; sleeps between tests of MPI.
  /// @param limit  the longest wait
  /// @return  the lowest rank that called with `failed` set, or the number of ranks if none did;
  ///          nothing if a rank did not call within `limit`: the job can then only be aborted
  /// Collective: over the ranks of the communicator.
  std::optional<int> meet(bool failed, seconds limit = forever);

private:
  mpi::comm over_;
  int own_ = 0, lowest_ = 0; ///< buffers of MPI until all ranks have called
};

} // namespace seam::detail
