// MPI's own operations on complete communicators. The v forms replace w forms that MPI lacks, since
// all types are the same here.
#include "mpi_calls.hpp"

namespace collective_bench {
namespace {

constexpr place here = place::complete;

std::vector<rival> blocking_calls() {
  return {
      blocking("alltoall", here, "MPI_Alltoall", equal_blocks, MPI_Alltoall),
      blocking("alltoallv", here, "MPI_Alltoallv", blocks_by_counts, MPI_Alltoallv),
      blocking("alltoallw", here, "MPI_Alltoallw", blocks_by_types_of_all, MPI_Alltoallw),
      blocking("allgather", here, "MPI_Allgather", equal_blocks, MPI_Allgather),
      blocking("allgatherv", here, "MPI_Allgatherv", from_others_by_counts, MPI_Allgatherv),
      blocking("allgatherw", here, "MPI_Allgatherv", from_others_by_counts, MPI_Allgatherv),
      blocking("gather", here, "MPI_Gather", with_root(equal_blocks), MPI_Gather),
      blocking("gatherv", here, "MPI_Gatherv", with_root(from_others_by_counts), MPI_Gatherv),
      blocking("gatherw", here, "MPI_Gatherv", with_root(from_others_by_counts), MPI_Gatherv),
      blocking("scatter", here, "MPI_Scatter", with_root(equal_blocks), MPI_Scatter),
      blocking("scatterv", here, "MPI_Scatterv", to_others_by_counts, MPI_Scatterv),
      blocking("scatterw", here, "MPI_Scatterv", to_others_by_counts, MPI_Scatterv),
      blocking("bcast", here, "MPI_Bcast", block_of_root, MPI_Bcast),
      blocking("reduce", here, "MPI_Reduce", with_root(values), MPI_Reduce),
      blocking("allreduce", here, "MPI_Allreduce", values, MPI_Allreduce),
      blocking("barrier", here, "MPI_Barrier", nothing, MPI_Barrier),
      blocking("reduce_scatter_block", here, "MPI_Reduce_scatter_block", values,
               MPI_Reduce_scatter_block),
      blocking("reduce_scatter", here, "MPI_Reduce_scatter", values_by_counts, MPI_Reduce_scatter),
      blocking("scan", here, "MPI_Scan", values, MPI_Scan),
      blocking("exscan", here, "MPI_Exscan", values, MPI_Exscan),
  };
}

std::vector<rival> nonblocking_calls() {
  return {
      nonblocking("alltoall", here, "MPI_Ialltoall", equal_blocks, MPI_Ialltoall),
      nonblocking("alltoallv", here, "MPI_Ialltoallv", blocks_by_counts, MPI_Ialltoallv),
      nonblocking("alltoallw", here, "MPI_Ialltoallw", blocks_by_types_of_all, MPI_Ialltoallw),
      nonblocking("allgather", here, "MPI_Iallgather", equal_blocks, MPI_Iallgather),
      nonblocking("allgatherv", here, "MPI_Iallgatherv", from_others_by_counts, MPI_Iallgatherv),
      nonblocking("allgatherw", here, "MPI_Iallgatherv", from_others_by_counts, MPI_Iallgatherv),
      nonblocking("gather", here, "MPI_Igather", with_root(equal_blocks), MPI_Igather),
      nonblocking("gatherv", here, "MPI_Igatherv", with_root(from_others_by_counts), MPI_Igatherv),
      nonblocking("gatherw", here, "MPI_Igatherv", with_root(from_others_by_counts), MPI_Igatherv),
      nonblocking("scatter", here, "MPI_Iscatter", with_root(equal_blocks), MPI_Iscatter),
      nonblocking("scatterv", here, "MPI_Iscatterv", to_others_by_counts, MPI_Iscatterv),
      nonblocking("scatterw", here, "MPI_Iscatterv", to_others_by_counts, MPI_Iscatterv),
      nonblocking("bcast", here, "MPI_Ibcast", block_of_root, MPI_Ibcast),
      nonblocking("reduce", here, "MPI_Ireduce", with_root(values), MPI_Ireduce),
      nonblocking("allreduce", here, "MPI_Iallreduce", values, MPI_Iallreduce),
      nonblocking("barrier", here, "MPI_Ibarrier", nothing, MPI_Ibarrier),
      nonblocking("reduce_scatter_block", here, "MPI_Ireduce_scatter_block", values,
                  MPI_Ireduce_scatter_block),
      nonblocking("reduce_scatter", here, "MPI_Ireduce_scatter", values_by_counts,
                  MPI_Ireduce_scatter),
      nonblocking("scan", here, "MPI_Iscan", values, MPI_Iscan),
      nonblocking("exscan", here, "MPI_Iexscan", values, MPI_Iexscan),
  };
}

} // namespace

std::vector<rival> complete_rivals() {
  auto all = blocking_calls();
  auto const others = nonblocking_calls();
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

} // namespace collective_bench
