// MPI's neighborhood collectives, followed by a sum in place of MPI's missing reductions.
#include "mpi_calls.hpp"

namespace collective_bench {

void add_arrived(problem& on) {
  int const count = on.count;
  double const* values = on.arrived.data();
  double* const sum = on.in.data();
  std::copy_n(values, on.in.num_edges() > 0 ? count : 0, sum);
  for (int e = 1; e < on.in.num_edges(); ++e) {
    values += count;
    for (int k = 0; k < count; ++k)
      sum[k] += values[k];
  }
}

std::vector<rival> neighbor_rivals() {
  constexpr place here = place::graph;
  return {
      blocking("alltoall", here, "MPI_Neighbor_alltoall", equal_blocks, MPI_Neighbor_alltoall),
      nonblocking("alltoall", here, "MPI_Ineighbor_alltoall", equal_blocks, MPI_Ineighbor_alltoall),
      blocking("alltoallv", here, "MPI_Neighbor_alltoallv", blocks_by_counts,
               MPI_Neighbor_alltoallv),
      nonblocking("alltoallv", here, "MPI_Ineighbor_alltoallv", blocks_by_counts,
                  MPI_Ineighbor_alltoallv),
      blocking("alltoallw", here, "MPI_Neighbor_alltoallw", blocks_by_types,
               MPI_Neighbor_alltoallw),
      nonblocking("alltoallw", here, "MPI_Ineighbor_alltoallw", blocks_by_types,
                  MPI_Ineighbor_alltoallw),
      blocking("allgather", here, "MPI_Neighbor_allgather", equal_blocks, MPI_Neighbor_allgather),
      nonblocking("allgather", here, "MPI_Ineighbor_allgather", equal_blocks,
                  MPI_Ineighbor_allgather),
      blocking("allgatherv", here, "MPI_Neighbor_allgatherv", from_others_by_counts,
               MPI_Neighbor_allgatherv),
      nonblocking("allgatherv", here, "MPI_Ineighbor_allgatherv", from_others_by_counts,
                  MPI_Ineighbor_allgatherv),
      // MPI's replacements of an allgatherw; the first requires that all types are the same.
      blocking("allgatherw", here, "MPI_Neighbor_allgatherv", from_others_by_counts,
               MPI_Neighbor_allgatherv),
      blocking("allgatherw", here, "MPI_Neighbor_alltoallw", blocks_by_types,
               MPI_Neighbor_alltoallw),
      nonblocking("allgatherw", here, "MPI_Ineighbor_alltoallw", blocks_by_types,
                  MPI_Ineighbor_alltoallw),
      followed_by(add_arrived, blocking("allreduce", here, "MPI_Neighbor_allgather", blocks_to_add,
                                        MPI_Neighbor_allgather)),
      followed_by(add_arrived, nonblocking("allreduce", here, "MPI_Ineighbor_allgather",
                                           blocks_to_add, MPI_Ineighbor_allgather)),
  };
}

} // namespace collective_bench
