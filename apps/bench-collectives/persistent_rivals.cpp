// MPI's collectives as persistent requests, under the names of Open MPI 4.
#include "mpi_calls.hpp"

#include <mpi-ext.h>

namespace collective_bench {
namespace {

std::vector<rival> calls_on_graphs() {
  constexpr place here = place::graph;
  return {
      persistent("alltoall", here, "MPIX_Neighbor_alltoall_init", equal_blocks,
                 MPIX_Neighbor_alltoall_init),
      persistent("alltoallv", here, "MPIX_Neighbor_alltoallv_init", blocks_by_counts,
                 MPIX_Neighbor_alltoallv_init),
      persistent("alltoallw", here, "MPIX_Neighbor_alltoallw_init", blocks_by_types,
                 MPIX_Neighbor_alltoallw_init),
      persistent("allgather", here, "MPIX_Neighbor_allgather_init", equal_blocks,
                 MPIX_Neighbor_allgather_init),
      persistent("allgatherv", here, "MPIX_Neighbor_allgatherv_init", from_others_by_counts,
                 MPIX_Neighbor_allgatherv_init),
      persistent("allgatherw", here, "MPIX_Neighbor_alltoallw_init", blocks_by_types,
                 MPIX_Neighbor_alltoallw_init),
      followed_by(add_arrived, persistent("allreduce", here, "MPIX_Neighbor_allgather_init",
                                          blocks_to_add, MPIX_Neighbor_allgather_init)),
  };
}

std::vector<rival> calls_among_all() {
  constexpr place here = place::complete;
  return {
      persistent("alltoall", here, "MPIX_Alltoall_init", equal_blocks, MPIX_Alltoall_init),
      persistent("alltoallv", here, "MPIX_Alltoallv_init", blocks_by_counts, MPIX_Alltoallv_init),
      persistent("alltoallw", here, "MPIX_Alltoallw_init", blocks_by_types_of_all,
                 MPIX_Alltoallw_init),
      persistent("allgather", here, "MPIX_Allgather_init", equal_blocks, MPIX_Allgather_init),
      persistent("allgatherv", here, "MPIX_Allgatherv_init", from_others_by_counts,
                 MPIX_Allgatherv_init),
      persistent("gather", here, "MPIX_Gather_init", with_root(equal_blocks), MPIX_Gather_init),
      persistent("gatherv", here, "MPIX_Gatherv_init", with_root(from_others_by_counts),
                 MPIX_Gatherv_init),
      persistent("scatter", here, "MPIX_Scatter_init", with_root(equal_blocks), MPIX_Scatter_init),
      persistent("scatterv", here, "MPIX_Scatterv_init", to_others_by_counts, MPIX_Scatterv_init),
      persistent("bcast", here, "MPIX_Bcast_init", block_of_root, MPIX_Bcast_init),
      persistent("reduce", here, "MPIX_Reduce_init", with_root(values), MPIX_Reduce_init),
      persistent("allreduce", here, "MPIX_Allreduce_init", values, MPIX_Allreduce_init),
      persistent("barrier", here, "MPIX_Barrier_init", nothing, MPIX_Barrier_init),
      persistent("reduce_scatter_block", here, "MPIX_Reduce_scatter_block_init", values,
                 MPIX_Reduce_scatter_block_init),
      persistent("reduce_scatter", here, "MPIX_Reduce_scatter_init", values_by_counts,
                 MPIX_Reduce_scatter_init),
      persistent("scan", here, "MPIX_Scan_init", values, MPIX_Scan_init),
      persistent("exscan", here, "MPIX_Exscan_init", values, MPIX_Exscan_init),
  };
}

} // namespace

std::vector<rival> persistent_rivals() {
  auto all = calls_on_graphs();
  auto const others = calls_among_all();
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

} // namespace collective_bench
