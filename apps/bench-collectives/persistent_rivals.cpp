// MPI's collectives as persistent requests: MPI 4's, or those that Open MPI 4 has as an extension.
#include "mpi_calls.hpp"

#if MPI_VERSION >= 4
#define SEAM_BENCH_INIT(call) MPI_##call##_init
#define SEAM_BENCH_INIT_NAME(call) "MPI_" #call "_init"
#else
#include <mpi-ext.h>
#define SEAM_BENCH_INIT(call) MPIX_##call##_init
#define SEAM_BENCH_INIT_NAME(call) "MPIX_" #call "_init"
#endif

namespace collective_bench {
namespace {

std::vector<rival> calls_on_graphs() {
  constexpr place here = place::graph;
  return {
      persistent("alltoall", here, SEAM_BENCH_INIT_NAME(Neighbor_alltoall), equal_blocks,
                 SEAM_BENCH_INIT(Neighbor_alltoall)),
      persistent("alltoallv", here, SEAM_BENCH_INIT_NAME(Neighbor_alltoallv), blocks_by_counts,
                 SEAM_BENCH_INIT(Neighbor_alltoallv)),
      persistent("alltoallw", here, SEAM_BENCH_INIT_NAME(Neighbor_alltoallw), blocks_by_types,
                 SEAM_BENCH_INIT(Neighbor_alltoallw)),
      persistent("allgather", here, SEAM_BENCH_INIT_NAME(Neighbor_allgather), equal_blocks,
                 SEAM_BENCH_INIT(Neighbor_allgather)),
      persistent("allgatherv", here, SEAM_BENCH_INIT_NAME(Neighbor_allgatherv),
                 from_others_by_counts, SEAM_BENCH_INIT(Neighbor_allgatherv)),
      persistent("allgatherw", here, SEAM_BENCH_INIT_NAME(Neighbor_alltoallw), blocks_by_types,
                 SEAM_BENCH_INIT(Neighbor_alltoallw)),
      followed_by(add_arrived,
                  persistent("allreduce", here, SEAM_BENCH_INIT_NAME(Neighbor_allgather),
                             blocks_to_add, SEAM_BENCH_INIT(Neighbor_allgather))),
  };
}

std::vector<rival> calls_among_all() {
  constexpr place here = place::complete;
  return {
      persistent("alltoall", here, SEAM_BENCH_INIT_NAME(Alltoall), equal_blocks,
                 SEAM_BENCH_INIT(Alltoall)),
      persistent("alltoallv", here, SEAM_BENCH_INIT_NAME(Alltoallv), blocks_by_counts,
                 SEAM_BENCH_INIT(Alltoallv)),
      persistent("alltoallw", here, SEAM_BENCH_INIT_NAME(Alltoallw), blocks_by_types_of_all,
                 SEAM_BENCH_INIT(Alltoallw)),
      persistent("allgather", here, SEAM_BENCH_INIT_NAME(Allgather), equal_blocks,
                 SEAM_BENCH_INIT(Allgather)),
      persistent("allgatherv", here, SEAM_BENCH_INIT_NAME(Allgatherv), from_others_by_counts,
                 SEAM_BENCH_INIT(Allgatherv)),
      persistent("gather", here, SEAM_BENCH_INIT_NAME(Gather), with_root(equal_blocks),
                 SEAM_BENCH_INIT(Gather)),
      persistent("gatherv", here, SEAM_BENCH_INIT_NAME(Gatherv), with_root(from_others_by_counts),
                 SEAM_BENCH_INIT(Gatherv)),
      persistent("scatter", here, SEAM_BENCH_INIT_NAME(Scatter), with_root(equal_blocks),
                 SEAM_BENCH_INIT(Scatter)),
      persistent("scatterv", here, SEAM_BENCH_INIT_NAME(Scatterv), to_others_by_counts,
                 SEAM_BENCH_INIT(Scatterv)),
      persistent("bcast", here, SEAM_BENCH_INIT_NAME(Bcast), block_of_root, SEAM_BENCH_INIT(Bcast)),
      persistent("reduce", here, SEAM_BENCH_INIT_NAME(Reduce), with_root(values),
                 SEAM_BENCH_INIT(Reduce)),
      persistent("allreduce", here, SEAM_BENCH_INIT_NAME(Allreduce), values,
                 SEAM_BENCH_INIT(Allreduce)),
      persistent("barrier", here, SEAM_BENCH_INIT_NAME(Barrier), nothing, SEAM_BENCH_INIT(Barrier)),
      persistent("reduce_scatter_block", here, SEAM_BENCH_INIT_NAME(Reduce_scatter_block), values,
                 SEAM_BENCH_INIT(Reduce_scatter_block)),
      persistent("reduce_scatter", here, SEAM_BENCH_INIT_NAME(Reduce_scatter), values_by_counts,
                 SEAM_BENCH_INIT(Reduce_scatter)),
      persistent("scan", here, SEAM_BENCH_INIT_NAME(Scan), values, SEAM_BENCH_INIT(Scan)),
      persistent("exscan", here, SEAM_BENCH_INIT_NAME(Exscan), values, SEAM_BENCH_INIT(Exscan)),
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
