#include <seam/exchange/mpi/large_count.hpp>
#include <seam/framework/c/partitioned_request.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/framework/c/request_table.hpp>

#include <fmt/format.h>

namespace seam::detail {
namespace {

request_table<c_request>& requests() {
  static auto* const table = new request_table<c_request>; // outlives all static objects
  return *table;
}

/// Makes an unused request of MPI, whose handle no other request has.
MPI_Request make_handle() {
  MPI_Request made = MPI_REQUEST_NULL;
  mpi::check(MPI_Send_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made),
             "MPI_Send_init");
  return made;
}

} // namespace

void c_request::cancel() {
  refuse(MPI_ERR_REQUEST, fmt::format("MPIX_Cancel: {}, which cannot be cancelled (expected a "
                                      "request of a message without partitions)",
                                      name()));
}

MPIX_Request add_request(std::unique_ptr<c_request> request) {
  MPI_Request handle = make_handle();
  requests().add(handle, request.release());
  return handle;
}

c_request* find_request(MPIX_Request handle) noexcept {
  return handle == MPIX_REQUEST_NULL ? nullptr : requests().find(handle);
}

void remove_request(MPIX_Request& handle) {
  delete requests().remove(handle);
  mpi::check(MPI_Request_free(&handle), "MPI_Request_free");
}

void set_status(c_request const* request, MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE)
    return;
  status->MPI_SOURCE = request == nullptr ? MPI_ANY_SOURCE : request->source;
  status->MPI_TAG = request == nullptr ? MPI_ANY_TAG : request->tag;
  status->MPI_ERROR = MPI_SUCCESS;
  mpi::set_bytes(*status, request == nullptr ? 0 : request->bytes);
  MPI_Status_set_cancelled(status, request != nullptr && request->is_cancelled ? 1 : 0);
}

} // namespace seam::detail
