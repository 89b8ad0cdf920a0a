// The collective functions of MPI that seam and HDF5 call, and the nonblocking forms of them. Each
// counts and calls the library's own function by its second name.
#include "counting.hpp"

using namespace scale_bench;

#define SEAM_PLAIN(...) __VA_ARGS__

/// Both forms of a function, whose names differ in a letter.
#define SEAM_COUNTED(counted, Name, name, parameters, arguments)                                   \
  int MPI_##Name(SEAM_PLAIN parameters) {                                                          \
    counted;                                                                                       \
    return PMPI_##Name(SEAM_PLAIN arguments);                                                      \
  }                                                                                                \
  int MPI_I##name(SEAM_PLAIN parameters, MPI_Request* request) {                                   \
    counted;                                                                                       \
    return PMPI_I##name(SEAM_PLAIN arguments, request);                                            \
  }

// clang-format off
extern "C" {
SEAM_COUNTED(count_tree(comm, 0), Barrier, barrier, (MPI_Comm comm), (comm))
SEAM_COUNTED(count_tree(comm, bytes_of(count, type)), Bcast, bcast,
             (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
             (buffer, count, type, root, comm))
SEAM_COUNTED(count_reduction(comm, bytes_of(count, type)), Allreduce, allreduce,
             (void const* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
             (from, into, count, type, op, comm))
SEAM_COUNTED(count_tree(comm, bytes_of(count, type)), Exscan, exscan,
             (void const* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
             (from, into, count, type, op, comm))
SEAM_COUNTED(count_gathering_to_one(comm, bytes_of(count, type)), Gather, gather,
             (void const* from, int count, MPI_Datatype type, void* into, int into_count,
              MPI_Datatype into_type, int root, MPI_Comm comm),
             (from, count, type, into, into_count, into_type, root, comm))
SEAM_COUNTED(count_lists_to_one(bytes_of(count, type)), Gatherv, gatherv,
             (void const* from, int count, MPI_Datatype type, void* into, int const counts[],
              int const firsts[], MPI_Datatype into_type, int root, MPI_Comm comm),
             (from, count, type, into, counts, firsts, into_type, root, comm))
SEAM_COUNTED(count_gathering(comm, bytes_of(count, type)), Scatter, scatter,
             (void const* from, int from_count, MPI_Datatype from_type, void* into, int count,
              MPI_Datatype type, int root, MPI_Comm comm),
             (from, from_count, from_type, into, count, type, root, comm))
SEAM_COUNTED(count_gathering(comm, bytes_of(into_count, into_type)), Allgather, allgather,
             (void const* from, int count, MPI_Datatype type, void* into, int into_count,
              MPI_Datatype into_type, MPI_Comm comm),
             (from, count, type, into, into_count, into_type, comm))
SEAM_COUNTED(count_gathering(comm, bytes_of(into_count, into_type)), Alltoall, alltoall,
             (void const* from, int count, MPI_Datatype type, void* into, int into_count,
              MPI_Datatype into_type, MPI_Comm comm),
             (from, count, type, into, into_count, into_type, comm))
SEAM_COUNTED(count_gathering(comm, bytes_of(count, type)), Reduce_scatter_block, reduce_scatter_block,
             (void const* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
             (from, into, count, type, op, comm))
}
// clang-format on
