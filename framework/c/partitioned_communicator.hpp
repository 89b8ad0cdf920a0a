/// The communicator of a request, whose error handler the program may change, and which it may
/// free.
#pragma once

#include <seam/framework/c/errors.hpp>

#include <mpi.h>

#include <atomic>
#include <memory>

namespace seam::detail {

/// Keeps the error handler that `native` has when this is made. Local.
class c_communicator {
public:
  explicit c_communicator(MPI_Comm native);
  c_communicator(c_communicator const&) = delete;
  c_communicator& operator=(c_communicator const&) = delete;
  ~c_communicator();

  /// Calls the kept error handler with `code`: for the communicator, or, if the program has freed
  /// it or given it another handler since, for a communicator of this process alone.
  void call_error_handler(int code) const;

private:
  bool still_has_handler() const;

  MPI_Comm native_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
  std::shared_ptr<std::atomic<bool> const> is_open_;
};

} // namespace seam::detail
