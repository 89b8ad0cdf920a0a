/// The requests of partitioned.h. Each has a request handle of MPI, by which it is found, so that
/// it can stand in an array with MPI's own requests.
#pragma once

#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/framework/c/partitioned.h>
#include <seam/framework/c/partitioned_communicator.hpp>

#include <atomic>
#include <memory>

namespace seam::detail {

/// A partitioned operation, and the status that its completion returns.
struct c_request {
  c_communicator comm;
  partitioned_operation what;
  int source = MPI_ANY_SOURCE, tag = MPI_ANY_TAG;
  MPI_Count bytes = 0;
  std::atomic<bool> is_active = false; ///< started, and no call has reported its completion

  c_request(MPI_Comm native, partitioned_operation made) : comm(native), what(std::move(made)) {}
};

/// Returns a new handle, by which `request` is found from now on. Local. Threads: any.
MPIX_Request add_request(std::unique_ptr<c_request> request);

/// The request of `handle`, or nullptr if it is none of seam. Threads: any, without a lock.
c_request* find_request(MPIX_Request handle) noexcept;

/// Destroys a request, and sets `handle` to MPIX_REQUEST_NULL. Threads: any.
void remove_request(MPIX_Request& handle);

/// Sets the status of a completed request; an empty one for nullptr. Local.
void set_status(c_request const* request, MPI_Status* status);

/// Runs `body`; turns an exception into an error code and calls the error handler that the
/// communicator of `request` had when that was made. Returns MPI_SUCCESS or the code.
/// @param request  nullptr: the handler of MPI_COMM_WORLD
template <class Body>
int guarded(c_request const* request, Body const& body) {
  try {
    body();
    return MPI_SUCCESS;
  } catch (...) {
    int const code = code_of_current_exception();
    if (request != nullptr)
      request->comm.call_error_handler(code);
    else
      call_error_handler(MPI_COMM_NULL, code);
    return code;
  }
}

} // namespace seam::detail
