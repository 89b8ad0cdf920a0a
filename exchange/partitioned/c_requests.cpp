#include <seam/exchange/partitioned/c_request.hpp>

#include <seam/exchange/c_errors.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/partitioned/attendant.hpp>
#include <seam/exchange/patience.hpp>

#include <fmt/format.h>

#include <span>
#include <vector>

namespace {

using namespace seam;
using detail::guarded;

MPI_Comm comm_of(MPIX_Request request) {
  return request == MPIX_REQUEST_NULL ? MPI_COMM_NULL : request->comm;
}

/// Runs `body` on the operation of a request that must not be null.
template <class Body>
int with_operation(char const* call, MPIX_Request request, Body body) {
  return guarded(comm_of(request), [&] {
    if (request == MPIX_REQUEST_NULL)
      refuse(fmt::format("{}: MPIX_REQUEST_NULL (expected a request)", call));
    body(request->what);
  });
}

/// `completed`: the request has been active until now; otherwise its status is empty.
void set_status(MPIX_Request request, bool completed, MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE)
    return;
  bool const empty = !completed;
  status->MPI_SOURCE = empty ? MPI_ANY_SOURCE : request->source;
  status->MPI_TAG = empty ? MPI_ANY_TAG : request->tag;
  status->MPI_ERROR = MPI_SUCCESS;
  MPI_Status_set_elements_x(status, MPI_BYTE, empty ? 0 : request->bytes);
  MPI_Status_set_cancelled(status, 0);
}

bool is_complete(MPIX_Request request) {
  return request == MPIX_REQUEST_NULL || request->what.test();
}

bool is_active(MPIX_Request request) {
  return request != MPIX_REQUEST_NULL && request->what.is_active();
}

MPI_Comm comm_of_any(int count, MPIX_Request const* requests) {
  for (int i = 0; i < count; ++i)
    if (requests[i] != MPIX_REQUEST_NULL)
      return requests[i]->comm;
  return MPI_COMM_NULL;
}

std::span<int const> list_of(char const* call, int length, int const* partitions) {
  if (length < 0)
    refuse(fmt::format("{}: {} partitions (expected 0 or more)", call, length));
  return {partitions, static_cast<std::size_t>(length)};
}

/// Waits until done() is true, and helps with what else is on its way.
template <class Done>
void wait_until(Done done) {
  for (patience wait; !done(); wait.pause())
    attend_to_all();
}

} // namespace

int MPIX_Start(MPIX_Request* request) {
  return with_operation("MPIX_Start", *request, [](auto& what) { what.start(); });
}

int MPIX_Startall(int count, MPIX_Request requests[]) {
  int code = MPI_SUCCESS;
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i)
    code = MPIX_Start(&requests[i]);
  return code;
}

int MPIX_Test(MPIX_Request* request, int* flag, MPI_Status* status) {
  *flag = 0;
  return guarded(comm_of(*request), [&] {
    bool const was_active = is_active(*request);
    *flag = is_complete(*request) ? 1 : 0;
    if (*flag != 0)
      set_status(*request, was_active, status);
  });
}

int MPIX_Wait(MPIX_Request* request, MPI_Status* status) {
  return guarded(comm_of(*request), [&] {
    bool const was_active = is_active(*request);
    if (was_active)
      (*request)->what.wait();
    set_status(*request, was_active, status);
  });
}

int MPIX_Waitall(int count, MPIX_Request requests[], MPI_Status statuses[]) {
  return guarded(comm_of_any(count, requests), [&] {
    std::vector<bool> were_active;
    for (int i = 0; i < count; ++i)
      were_active.push_back(is_active(requests[i]));
    wait_until([&] {
      bool complete = true;
      for (int i = 0; i < count; ++i)
        complete = is_complete(requests[i]) && complete;
      return complete;
    });
    for (int i = 0; i < count && statuses != MPI_STATUSES_IGNORE; ++i)
      set_status(requests[i], were_active[static_cast<std::size_t>(i)], &statuses[i]);
  });
}

int MPIX_Waitany(int count, MPIX_Request requests[], int* index, MPI_Status* status) {
  *index = MPI_UNDEFINED;
  return guarded(comm_of_any(count, requests), [&] {
    std::vector<int> active;
    for (int i = 0; i < count; ++i)
      if (is_active(requests[i]))
        active.push_back(i);
    if (active.empty())
      return set_status(MPIX_REQUEST_NULL, false, status);
    wait_until([&] {
      for (int i : active)
        if (*index == MPI_UNDEFINED && is_complete(requests[i]))
          *index = i;
      return *index != MPI_UNDEFINED;
    });
    set_status(requests[*index], true, status);
  });
}

int MPIX_Request_free(MPIX_Request* request) {
  return with_operation("MPIX_Request_free", *request, [&](auto& what) {
    what.close();
    delete *request;
    *request = MPIX_REQUEST_NULL;
  });
}

int MPIX_Pready(int partition, MPIX_Request request) {
  return with_operation("MPIX_Pready", request, [=](auto& what) { what.ready(partition); });
}

int MPIX_Pready_range(int partition_low, int partition_high, MPIX_Request request) {
  return with_operation("MPIX_Pready_range", request,
                        [=](auto& what) { what.ready_range(partition_low, partition_high); });
}

int MPIX_Pready_list(int length, int const array_of_partitions[], MPIX_Request request) {
  return with_operation("MPIX_Pready_list", request, [=](auto& what) {
    what.ready_list(list_of("MPIX_Pready_list", length, array_of_partitions));
  });
}

int MPIX_Parrived(MPIX_Request request, int partition, int* flag) {
  *flag = 1;
  if (request == MPIX_REQUEST_NULL)
    return MPI_SUCCESS;
  return with_operation("MPIX_Parrived", request,
                        [=](auto& what) { *flag = what.arrived(partition) ? 1 : 0; });
}

int MPIX_Pready_extended(int partition, int dest, MPIX_Request* request) {
  return with_operation("MPIX_Pready_extended", *request,
                        [=](auto& what) { what.ready(partition, dest); });
}

int MPIX_Pready_range_extended(int partition_low, int partition_high, int dest,
                               MPIX_Request* request) {
  return with_operation("MPIX_Pready_range_extended", *request,
                        [=](auto& what) { what.ready_range(partition_low, partition_high, dest); });
}

int MPIX_Pready_list_extended(int length, int const array_of_partitions[], int dest,
                              MPIX_Request* request) {
  return with_operation("MPIX_Pready_list_extended", *request, [=](auto& what) {
    what.ready_list(list_of("MPIX_Pready_list_extended", length, array_of_partitions), dest);
  });
}

int MPIX_Parrived_extended(MPIX_Request* request, int partition, int source, int* flag) {
  *flag = 1;
  if (*request == MPIX_REQUEST_NULL)
    return MPI_SUCCESS;
  return with_operation("MPIX_Parrived_extended", *request,
                        [=](auto& what) { *flag = what.arrived(partition, source) ? 1 : 0; });
}

int MPIX_Pbuf_prepare(MPIX_Request request) { return MPIX_Pbuf_prepareall(1, &request); }

int MPIX_Pbuf_prepareall(int count, MPIX_Request requests[]) {
  return guarded(comm_of_any(count, requests), [&] {
    std::vector<partitioned_operation*> all;
    for (int i = 0; i < count; ++i)
      if (requests[i] != MPIX_REQUEST_NULL)
        all.push_back(&requests[i]->what);
    prepare_buffers(all);
  });
}
