/// Partitioned reductions: each partition is reduced by itself, as soon as it is ready everywhere,
/// and arrives while others are not ready anywhere.
///
///     auto sum = pallreduce_init(world, in_partitions(in, 8), in_partitions(out, 8), MPI_SUM);
///
/// On graphs (allreduce, reduce) the in-neighbors' values are combined in the order of the edges,
/// on complete communicators everybody's in the order of ranks, on bipartite ones (allreduce,
/// reduce) those of the other side. `send.data` may be MPI_IN_PLACE, but between two sides: the
/// values are in `receive`.
///
/// All: @throws usage_error, the same on all ranks, if partitions differ between ranks where they
/// may not, if operations or roots differ, or if the operation has no meaning on the topology or
/// for the type.
/// Collective: over `over`, in the same order on all ranks; synchronizes. Buffers stay where they
/// are as long as the operation lives.
/// Source: [Holmes2021] figure 1 and sec. V.B, C; [Traeff2021] sec. 2 for graphs.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/buffer.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>

#include <vector>

namespace seam {

/// Everybody gets the result. The same partitions on all ranks.
partitioned_operation pallreduce_init(Communicator const& over, partitioned_buffer const& send,
                                      partitioned_buffer const& receive, MPI_Op op);

/// The root gets it. The root's partitions may differ from those of all others, which are the same
/// on these; a partition then arrives when what lies in it has, wherever it was cut. A root of the
/// other side (MPI_ROOT there, MPI_PROC_NULL beside it) adds nothing and marks nothing.
partitioned_operation preduce_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, MPI_Op op, int root);

/// Rank r gets the r-th block of the result, of the partitions of `receive`; `send` is the first of
/// the blocks. Marks are numbered through the blocks, or given with the block's rank. In place, the
/// blocks begin where `receive` does, and a partition of the result is there once all values that
/// it overwrites are ready.
partitioned_operation preduce_scatter_block_init(Communicator const& over,
                                                 partitioned_buffer const& send,
                                                 partitioned_buffer const& receive, MPI_Op op);

/// @param sends  a block for each rank, of partitions of its own; of all or none `data` is
///               MPI_IN_PLACE
partitioned_operation preduce_scatter_init(Communicator const& over,
                                           std::vector<partitioned_buffer> const& sends,
                                           partitioned_buffer const& receive, MPI_Op op);

/// Rank r gets what ranks 0 to r have sent, combined; the exclusive form, 0 to r - 1. The same
/// partitions on all ranks. What rank 0 receives of the exclusive form is left as it is.
partitioned_operation pscan_init(Communicator const& over, partitioned_buffer const& send,
                                 partitioned_buffer const& receive, MPI_Op op);
partitioned_operation pexscan_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, MPI_Op op);

} // namespace seam
