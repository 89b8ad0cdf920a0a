/// The requests of partitioned.h. Each has a handle of MPI's, so that it can stand in an array with
/// MPI's own requests, and is found by this handle.
#pragma once

#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/framework/c/partitioned.h>
#include <seam/framework/c/partitioned_communicator.hpp>

#include <atomic>
#include <memory>

namespace seam::detail {

/// A partitioned operation, and what the status of its completion says.
struct c_request {
  c_communicator comm;
  partitioned_operation what;
  int source = MPI_ANY_SOURCE, tag = MPI_ANY_TAG;
  MPI_Count bytes = 0;
  std::atomic<bool> is_active = false; ///< started, and no call has told of its completion

  c_request(MPI_Comm its_comm, partitioned_operation its_operation)
      : comm(its_comm), what(std::move(its_operation)) {}
};

/// A new handle, by which `request` is found from now on. Local. Threads: any.
MPIX_Request add_request(std::unique_ptr<c_request> request);

/// The request of `handle`, or nullptr if that is none of seam's. Threads: any, without a lock.
c_request* find_request(MPIX_Request handle) noexcept;

/// Ends a request, and makes `handle` MPIX_REQUEST_NULL. Threads: any.
void remove_request(MPIX_Request& handle);

/// What `request` has to tell, or an empty status if it is nullptr. Local.
void set_status(c_request const* request, MPI_Status* status);

/// Runs `body`, makes an exception an error code and calls the error handler that the communicator
/// of `request` had when that was made. Returns MPI_SUCCESS or the code.
/// @param request  may be nullptr: the handler of MPI_COMM_WORLD
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
