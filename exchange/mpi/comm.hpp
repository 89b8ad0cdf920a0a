/// Communicators of MPI: the non-owning view that functions take, and its properties.
#pragma once

#include <seam/exchange/mpi/detail/handle.hpp>

namespace seam::mpi {

/// A communicator with another owner. Copied freely; as cheap as the MPI_Comm itself.
class comm_view {
public:
  comm_view(MPI_Comm native) noexcept : native_(native) {}
  comm_view(comm const& owner) noexcept : native_(owner.native()) {}

  MPI_Comm native() const noexcept { return native_; }

  /// Rank of the calling process. Local.
  int rank() const;

  /// Number of processes (of the local group, on a bipartite communicator). Local.
  int size() const;

private:
  MPI_Comm native_;
};

/// Makes every error on `over` return to the caller. Local.
void return_errors(comm_view over);

/// Makes errors on `to` call the error handler of `from`, as MPI does for communicators made from
/// `from`. Local.
void inherit_error_handler(comm_view from, comm_view to);

/// Leaves `over` unfreed when its owner ends, for communicators of failed operations: MPICH reuses the
/// context of a freed one, and messages of the next would meet what is left of the operation. Local.
void keep_for_ever(comm_view over) noexcept;

/// True if `over` is an inter-communicator, which seam calls bipartite. Local.
bool is_bipartite(comm_view over);

} // namespace seam::mpi
