/// Counts the calls of MPI that the library under test makes, through MPI's profiling interface, in
/// the whole of a test program.
#pragma once

#include <mpi.h>

#include <atomic>

namespace seam::testing {

inline std::atomic<long> num_sends = 0, num_receives = 0, num_collectives = 0;
inline std::atomic<long> num_sent_bytes = 0;

/// Calls of this process that send messages, that post receives or look for messages that have
/// arrived or left, and that are collective.
struct mpi_calls {
  long sends, receives, collectives;
  long sent_bytes; ///< by sends that are not persistent
};

/// The calls that `act` makes. Local.
template <class Act>
mpi_calls calls_of(Act act) {
  num_sends = num_receives = num_collectives = num_sent_bytes = 0;
  act();
  return {num_sends, num_receives, num_collectives, num_sent_bytes};
}

} // namespace seam::testing

// seam starts receives by MPI_Startall, sends by the others.
extern "C" {
[[gnu::used]] inline int MPI_Start(MPI_Request* request) {
  ++seam::testing::num_sends;
  return PMPI_Start(request);
}
[[gnu::used]] inline int MPI_Isend(void const* from, int count, MPI_Datatype type, int to, int tag,
                                   MPI_Comm comm, MPI_Request* request) {
  ++seam::testing::num_sends;
  int size = 0;
  PMPI_Type_size(type, &size);
  seam::testing::num_sent_bytes += long{size} * count;
  return PMPI_Isend(from, count, type, to, tag, comm, request);
}
[[gnu::used]] inline int MPI_Startall(int count, MPI_Request requests[]) {
  ++seam::testing::num_receives;
  return PMPI_Startall(count, requests);
}
[[gnu::used]] inline int MPI_Irecv(void* into, int count, MPI_Datatype type, int from, int tag,
                                   MPI_Comm comm, MPI_Request* request) {
  ++seam::testing::num_receives;
  return PMPI_Irecv(into, count, type, from, tag, comm, request);
}
[[gnu::used]] inline int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[],
                                      MPI_Status statuses[]) {
  ++seam::testing::num_receives;
  return PMPI_Testsome(count, requests, done, indices, statuses);
}
[[gnu::used]] inline int MPI_Testall(int count, MPI_Request requests[], int* done,
                                     MPI_Status statuses[]) {
  ++seam::testing::num_receives;
  return PMPI_Testall(count, requests, done, statuses);
}
[[gnu::used]] inline int MPI_Allreduce(void const* from, void* into, int count, MPI_Datatype type,
                                       MPI_Op op, MPI_Comm comm) {
  ++seam::testing::num_collectives;
  return PMPI_Allreduce(from, into, count, type, op, comm);
}
[[gnu::used]] inline int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root,
                                   MPI_Comm comm) {
  ++seam::testing::num_collectives;
  return PMPI_Bcast(buffer, count, type, root, comm);
}
[[gnu::used]] inline int MPI_Iallreduce(void const* from, void* into, int count, MPI_Datatype type,
                                        MPI_Op op, MPI_Comm comm, MPI_Request* begun) {
  ++seam::testing::num_collectives;
  return PMPI_Iallreduce(from, into, count, type, op, comm, begun);
}
[[gnu::used]] inline int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root,
                                    MPI_Comm comm, MPI_Request* begun) {
  ++seam::testing::num_collectives;
  return PMPI_Ibcast(buffer, count, type, root, comm, begun);
}
[[gnu::used]] inline int MPI_Ibarrier(MPI_Comm comm, MPI_Request* begun) {
  ++seam::testing::num_collectives;
  return PMPI_Ibarrier(comm, begun);
}
[[gnu::used]] inline int MPI_Barrier(MPI_Comm comm) {
  ++seam::testing::num_collectives;
  return PMPI_Barrier(comm);
}
}
