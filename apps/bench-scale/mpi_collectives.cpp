// The collective functions of MPI that seam and HDF5 call, and the nonblocking forms of them. Each
// counts and calls the library's own function by its second name.
#include "counting.hpp"

using namespace scale_bench;

extern "C" {
int MPI_Barrier(MPI_Comm comm) {
  count_tree(comm, 0);
  return PMPI_Barrier(comm);
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  count_tree(comm, 0);
  return PMPI_Ibarrier(comm, request);
}
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  count_tree(comm, bytes_of(count, type));
  return PMPI_Bcast(buffer, count, type, root, comm);
}
int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  count_tree(comm, bytes_of(count, type));
  return PMPI_Ibcast(buffer, count, type, root, comm, request);
}
int MPI_Allreduce(void const* from, void* into, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  count_reduction(comm, bytes_of(count, type));
  return PMPI_Allreduce(from, into, count, type, op, comm);
}
int MPI_Iallreduce(void const* from, void* into, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  count_reduction(comm, bytes_of(count, type));
  return PMPI_Iallreduce(from, into, count, type, op, comm, request);
}
int MPI_Exscan(void const* from, void* into, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
  count_tree(comm, bytes_of(count, type));
  return PMPI_Exscan(from, into, count, type, op, comm);
}
int MPI_Iexscan(void const* from, void* into, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm, MPI_Request* request) {
  count_tree(comm, bytes_of(count, type));
  return PMPI_Iexscan(from, into, count, type, op, comm, request);
}
int MPI_Gather(void const* from, int count, MPI_Datatype type, void* into, int into_count,
               MPI_Datatype into_type, int root, MPI_Comm comm) {
  count_gathering_to_one(comm, bytes_of(count, type));
  return PMPI_Gather(from, count, type, into, into_count, into_type, root, comm);
}
int MPI_Igather(void const* from, int count, MPI_Datatype type, void* into, int into_count,
                MPI_Datatype into_type, int root, MPI_Comm comm, MPI_Request* request) {
  count_gathering_to_one(comm, bytes_of(count, type));
  return PMPI_Igather(from, count, type, into, into_count, into_type, root, comm, request);
}
int MPI_Gatherv(void const* from, int count, MPI_Datatype type, void* into, int const counts[],
                int const firsts[], MPI_Datatype into_type, int root, MPI_Comm comm) {
  count_lists_to_one(bytes_of(count, type));
  return PMPI_Gatherv(from, count, type, into, counts, firsts, into_type, root, comm);
}
int MPI_Igatherv(void const* from, int count, MPI_Datatype type, void* into, int const counts[],
                 int const firsts[], MPI_Datatype into_type, int root, MPI_Comm comm,
                 MPI_Request* request) {
  count_lists_to_one(bytes_of(count, type));
  return PMPI_Igatherv(from, count, type, into, counts, firsts, into_type, root, comm, request);
}
int MPI_Scatter(void const* from, int from_count, MPI_Datatype from_type, void* into, int count,
                MPI_Datatype type, int root, MPI_Comm comm) {
  count_gathering(comm, bytes_of(count, type));
  return PMPI_Scatter(from, from_count, from_type, into, count, type, root, comm);
}
int MPI_Iscatter(void const* from, int from_count, MPI_Datatype from_type, void* into, int count,
                 MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  count_gathering(comm, bytes_of(count, type));
  return PMPI_Iscatter(from, from_count, from_type, into, count, type, root, comm, request);
}
int MPI_Allgather(void const* from, int count, MPI_Datatype type, void* into, int into_count,
                  MPI_Datatype into_type, MPI_Comm comm) {
  count_gathering(comm, bytes_of(into_count, into_type));
  return PMPI_Allgather(from, count, type, into, into_count, into_type, comm);
}
int MPI_Iallgather(void const* from, int count, MPI_Datatype type, void* into, int into_count,
                   MPI_Datatype into_type, MPI_Comm comm, MPI_Request* request) {
  count_gathering(comm, bytes_of(into_count, into_type));
  return PMPI_Iallgather(from, count, type, into, into_count, into_type, comm, request);
}
int MPI_Alltoall(void const* from, int count, MPI_Datatype type, void* into, int into_count,
                 MPI_Datatype into_type, MPI_Comm comm) {
  count_gathering(comm, bytes_of(into_count, into_type));
  return PMPI_Alltoall(from, count, type, into, into_count, into_type, comm);
}
int MPI_Ialltoall(void const* from, int count, MPI_Datatype type, void* into, int into_count,
                  MPI_Datatype into_type, MPI_Comm comm, MPI_Request* request) {
  count_gathering(comm, bytes_of(into_count, into_type));
  return PMPI_Ialltoall(from, count, type, into, into_count, into_type, comm, request);
}
int MPI_Reduce_scatter_block(void const* from, void* into, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
  count_gathering(comm, bytes_of(count, type));
  return PMPI_Reduce_scatter_block(from, into, count, type, op, comm);
}
int MPI_Ireduce_scatter_block(void const* from, void* into, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  count_gathering(comm, bytes_of(count, type));
  return PMPI_Ireduce_scatter_block(from, into, count, type, op, comm, request);
}
}
