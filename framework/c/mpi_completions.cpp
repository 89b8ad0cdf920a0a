// MPI's own names of the calls that start, complete, cancel and free requests. They pass requests
// of seam on to the functions of partitioned.h, and all others to the MPI library by its profiling
// names (PMPI_). Without them MPI would take a request of seam for one of its own that is not
// active, and report it complete at once. The symbols are weak, as those of MPI libraries are: a
// program or a tool may define its own.
#include <seam/framework/c/partitioned_request.hpp>

#include <algorithm>
#include <span>

namespace {

using seam::detail::find_request;

bool is_of_seam(MPI_Request const* request) noexcept {
  return request != nullptr && find_request(*request) != nullptr;
}

bool has_one_of_seam(int count, MPI_Request const* requests) noexcept {
  return count > 0 && requests != nullptr &&
         std::ranges::any_of(std::span(requests, count),
                             [](MPI_Request each) { return is_of_seam(&each); });
}

} // namespace

extern "C" {

[[gnu::weak]] int MPI_Start(MPI_Request* request) {
  return is_of_seam(request) ? MPIX_Start(request) : PMPI_Start(request);
}

[[gnu::weak]] int MPI_Startall(int count, MPI_Request requests[]) {
  return has_one_of_seam(count, requests) ? MPIX_Startall(count, requests)
                                          : PMPI_Startall(count, requests);
}

[[gnu::weak]] int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return is_of_seam(request) ? MPIX_Test(request, flag, status) : PMPI_Test(request, flag, status);
}

[[gnu::weak]] int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return has_one_of_seam(count, requests) ? MPIX_Testall(count, requests, flag, statuses)
                                          : PMPI_Testall(count, requests, flag, statuses);
}

[[gnu::weak]] int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag,
                              MPI_Status* status) {
  return has_one_of_seam(count, requests) ? MPIX_Testany(count, requests, index, flag, status)
                                          : PMPI_Testany(count, requests, index, flag, status);
}

[[gnu::weak]] int MPI_Testsome(int count, MPI_Request requests[], int* num_complete, int indices[],
                               MPI_Status statuses[]) {
  return has_one_of_seam(count, requests)
             ? MPIX_Testsome(count, requests, num_complete, indices, statuses)
             : PMPI_Testsome(count, requests, num_complete, indices, statuses);
}

[[gnu::weak]] int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return is_of_seam(request) ? MPIX_Wait(request, status) : PMPI_Wait(request, status);
}

[[gnu::weak]] int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return has_one_of_seam(count, requests) ? MPIX_Waitall(count, requests, statuses)
                                          : PMPI_Waitall(count, requests, statuses);
}

[[gnu::weak]] int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return has_one_of_seam(count, requests) ? MPIX_Waitany(count, requests, index, status)
                                          : PMPI_Waitany(count, requests, index, status);
}

[[gnu::weak]] int MPI_Waitsome(int count, MPI_Request requests[], int* num_complete, int indices[],
                               MPI_Status statuses[]) {
  return has_one_of_seam(count, requests)
             ? MPIX_Waitsome(count, requests, num_complete, indices, statuses)
             : PMPI_Waitsome(count, requests, num_complete, indices, statuses);
}

[[gnu::weak]] int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return is_of_seam(&request) ? MPIX_Request_get_status(request, flag, status)
                              : PMPI_Request_get_status(request, flag, status);
}

[[gnu::weak]] int MPI_Cancel(MPI_Request* request) {
  return is_of_seam(request) ? MPIX_Cancel(request) : PMPI_Cancel(request);
}

[[gnu::weak]] int MPI_Request_free(MPI_Request* request) {
  return is_of_seam(request) ? MPIX_Request_free(request) : PMPI_Request_free(request);
}

} // extern "C"
