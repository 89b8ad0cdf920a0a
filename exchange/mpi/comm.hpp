/// Communicators of MPI: the non-owning view that functions take, and its properties.
#pragma once

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>

#include <mpi.h>

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

/// Errors on a communicator return, as long as this lives; then its own error handler is back.
class returned_errors {
public:
  explicit returned_errors(MPI_Comm of) : of_(of) {
    check(MPI_Comm_get_errhandler(of_, &before_), "MPI_Comm_get_errhandler");
    check(MPI_Comm_set_errhandler(of_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  returned_errors(returned_errors const&) = delete;
  returned_errors& operator=(returned_errors const&) = delete;
  ~returned_errors() {
    MPI_Comm_set_errhandler(of_, before_);
    MPI_Errhandler_free(&before_);
  }

private:
  MPI_Comm of_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

} // namespace seam::mpi
