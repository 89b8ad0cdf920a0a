// Requests of partitioned.h: starting, marking, asking for partitions, and freeing.
#include <seam/framework/c/partitioned_request.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <span>
#include <vector>

namespace {

using namespace seam;
using detail::c_request;
using detail::find_request;
using detail::guarded;
using detail::require_address;

[[noreturn]] void refuse_request(char const* call, char const* found, char const* expected) {
  refuse(MPI_ERR_REQUEST, fmt::format("{}: {} (expected a request{})", call, found, expected));
}

/// The request of `handle`, which must be one of seam's.
c_request& own_request(char const* call, MPIX_Request handle) {
  if (handle == MPIX_REQUEST_NULL)
    refuse_request(call, "MPIX_REQUEST_NULL", "");
  c_request* const found = find_request(handle);
  if (found == nullptr)
    refuse_request(call, "a request of MPI's own", " of partitioned communication");
  return *found;
}

/// The operation of `handle`, which must be a request of partitioned communication.
partitioned_operation& partitioned(char const* call, MPIX_Request handle) {
  c_request& found = own_request(call, handle);
  if (found.partitioned() == nullptr)
    refuse_request(call, "a request of a message", " of partitioned communication");
  return *found.partitioned();
}

MPIX_Request at(MPIX_Request const* request) {
  return request == nullptr ? MPIX_REQUEST_NULL : *request;
}

/// Runs `body` on the operation of a request.
template <class Body>
int with_operation(char const* call, MPIX_Request handle, Body body) {
  return guarded(find_request(handle), [&] { body(partitioned(call, handle)); });
}

std::span<int const> list_of(char const* call, int length, int const* partitions) {
  if (length < 0)
    refuse(MPI_ERR_ARG, fmt::format("{}: {} partitions (expected 0 or more)", call, length));
  if (length > 0)
    require_address(call, partitions, "partitions");
  return std::span(partitions, length);
}

void start(c_request& request) {
  if (request.is_active && !request.is_in_flight()) // completion not yet reported
    refuse(MPI_ERR_REQUEST, fmt::format("start: {} is active already (expected wait before the "
                                        "next start)",
                                        request.name()));
  request.is_cancelled = false;
  request.start();
  request.is_active = true;
}

/// Sets `flag` to whether a partition has arrived, by `look`; to 0 if that fails.
template <class Look>
int ask_for_arrival(char const* call, MPIX_Request handle, int* flag, Look look) {
  if (flag != nullptr)
    *flag = 0;
  return guarded(find_request(handle), [&] {
    require_address(call, flag, "a flag");
    *flag = handle == MPIX_REQUEST_NULL || look(partitioned(call, handle)) ? 1 : 0;
  });
}

} // namespace

int MPIX_Start(MPIX_Request* request) {
  MPIX_Request const handle = at(request);
  c_request* const found = find_request(handle);
  if (found == nullptr && handle != MPIX_REQUEST_NULL)
    return MPI_Start(request);
  return guarded(found, [&] { start(own_request("MPIX_Start", handle)); });
}

int MPIX_Startall(int count, MPIX_Request requests[]) {
  int code = guarded(static_cast<c_request const*>(nullptr), [&] {
    if (count < 0)
      refuse(MPI_ERR_COUNT, fmt::format("MPIX_Startall: {} requests (expected 0 or more)", count));
    if (count > 0)
      require_address("MPIX_Startall", requests, "requests");
  });
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i)
    code = MPIX_Start(&requests[i]);
  return code;
}

int MPIX_Cancel(MPIX_Request* request) {
  MPIX_Request const handle = at(request);
  c_request* const found = find_request(handle);
  if (found == nullptr && handle != MPIX_REQUEST_NULL)
    return MPI_Cancel(request);
  return guarded(found, [&] {
    if (c_request& own = own_request("MPIX_Cancel", handle); own.is_active)
      own.cancel();
  });
}

int MPIX_Request_free(MPIX_Request* request) {
  MPIX_Request const handle = at(request);
  c_request* const found = find_request(handle);
  if (found == nullptr && handle != MPIX_REQUEST_NULL)
    return MPI_Request_free(request);
  return guarded(found, [&] {
    own_request("MPIX_Request_free", handle).close();
    detail::remove_request(*request);
  });
}

int MPIX_Pready(int partition, MPIX_Request request) {
  return with_operation("MPIX_Pready", request,
                        [=](auto& operation) { operation.ready(partition); });
}

int MPIX_Pready_range(int partition_low, int partition_high, MPIX_Request request) {
  return with_operation("MPIX_Pready_range", request, [=](auto& operation) {
    operation.ready_range(partition_low, partition_high);
  });
}

int MPIX_Pready_list(int length, int const array_of_partitions[], MPIX_Request request) {
  return with_operation("MPIX_Pready_list", request, [=](auto& operation) {
    operation.ready_list(list_of("MPIX_Pready_list", length, array_of_partitions));
  });
}

int MPIX_Parrived(MPIX_Request request, int partition, int* flag) {
  return ask_for_arrival("MPIX_Parrived", request, flag,
                         [=](auto& operation) { return operation.arrived(partition); });
}

int MPIX_Pready_extended(int partition, int dest, MPIX_Request* request) {
  return with_operation("MPIX_Pready_extended", at(request),
                        [=](auto& operation) { operation.ready(partition, dest); });
}

int MPIX_Pready_range_extended(int partition_low, int partition_high, int dest,
                               MPIX_Request* request) {
  return with_operation("MPIX_Pready_range_extended", at(request), [=](auto& operation) {
    operation.ready_range(partition_low, partition_high, dest);
  });
}

int MPIX_Pready_list_extended(int length, int const array_of_partitions[], int dest,
                              MPIX_Request* request) {
  return with_operation("MPIX_Pready_list_extended", at(request), [=](auto& operation) {
    operation.ready_list(list_of("MPIX_Pready_list_extended", length, array_of_partitions), dest);
  });
}

int MPIX_Parrived_extended(MPIX_Request* request, int partition, int source, int* flag) {
  return ask_for_arrival("MPIX_Parrived_extended", at(request), flag,
                         [=](auto& operation) { return operation.arrived(partition, source); });
}

int MPIX_Pbuf_prepare(MPIX_Request request) { return MPIX_Pbuf_prepareall(1, &request); }

int MPIX_Pbuf_prepareall(int count, MPIX_Request requests[]) {
  c_request const* const first = count > 0 ? find_request(at(requests)) : nullptr;
  return guarded(first, [&] {
    if (count > 0)
      require_address("MPIX_Pbuf_prepareall", requests, "requests");
    std::vector<partitioned_operation*> all;
    for (int i = 0; i < count; ++i)
      if (requests[i] != MPIX_REQUEST_NULL)
        all.push_back(&partitioned("MPIX_Pbuf_prepareall", requests[i]));
    prepare_buffers(all);
  });
}
