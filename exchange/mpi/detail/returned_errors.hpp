/// Errors of a communicator that is not seam's own, while seam calls MPI on it.
#pragma once

#include <seam/exchange/mpi/detail/check.hpp>

#include <mpi.h>

namespace seam::mpi {

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
