/// The contexts of prepared operations that the MPI library carries out.
///
/// MPI matches the nonblocking calls on one communicator by their order. Prepared operations may be
/// started in another order on each rank ([MPI4] sec. 6.13), and so each has a context of its own.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// The contexts of one communicator, kept with it and used again.
class native_contexts {
public:
  /// Takes a context that no living operation has on any rank, or makes one. It is taken as long as
  /// the result lives.
  /// Collective: over `over`.
  static std::shared_ptr<mpi::comm const> take(Communicator const& over);

private:
  std::vector<std::shared_ptr<mpi::comm const>> all_; ///< as many on all ranks
};

} // namespace seam::detail
