/// Partitioned reductions: each partition is reduced by itself, as soon as it is ready on all
/// ranks, and may arrive while other partitions are ready on none.
///
///     auto sum = pallreduce_init(world, in_partitions(in, 8), in_partitions(out, 8), MPI_SUM);
///
/// On graphs (allreduce, reduce) the values of the in-neighbors are combined in the order of the
/// edges, on complete communicators those of all ranks in their order, on bipartite ones
/// (allreduce, reduce) those of the other side. `send.data` may be MPI_IN_PLACE, but not between
/// two sides; the values are then in `receive`.
///
/// All functions of this header:
/// @throws usage_error  partitions differ between ranks where they may not, operations or roots
///                      differ, or the operation is not defined on the topology or for the type
///                      (the same on all ranks)
///
/// Collective: over `over`, in the same order on all ranks; synchronizes.
///
/// Buffers must stay where they are as long as the operation lives.
///
/// Source: [Holmes2021] figure 1 and sec. V.B, C; [Traeff2021] sec. 2 for graphs.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>

#include <vector>

namespace seam {

/// All ranks get the result. All have the same partitions.
partitioned_operation pallreduce_init(Communicator const& over, partitioned_buffer const& send,
                                      partitioned_buffer const& receive, MPI_Op op);

/// The root gets the result. Its partitions may differ from those of the other ranks, which must
/// have the same; a partition arrives when all values in it have been reduced, wherever other ranks
/// cut. A root of the other side (MPI_ROOT there, MPI_PROC_NULL beside it) adds no values and marks
/// no partitions.
partitioned_operation preduce_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, MPI_Op op, int root);

/// Rank r gets the r-th block of the result, in the partitions of `receive`; `send` is the first of
/// the blocks. Partitions to mark are numbered through the blocks, or within the block of a rank.
/// In place, the blocks begin where `receive` does, and a partition of the result arrives once all
/// values that it overwrites are ready.
partitioned_operation preduce_scatter_block_init(Communicator const& over,
                                                 partitioned_buffer const& send,
                                                 partitioned_buffer const& receive, MPI_Op op);

/// @param sends  a block for each rank, with partitions of its own; in all or none `data` is
///               MPI_IN_PLACE
partitioned_operation preduce_scatter_init(Communicator const& over,
                                           std::vector<partitioned_buffer> const& sends,
                                           partitioned_buffer const& receive, MPI_Op op);

/// Rank r gets the combined values of ranks 0 to r; in the exclusive form it gets those below r.
/// All ranks have the same partitions. In the exclusive form the receive buffer of rank 0 is left
/// as it is.
partitioned_operation pscan_init(Communicator const& over, partitioned_buffer const& send,
                                 partitioned_buffer const& receive, MPI_Op op);
partitioned_operation pexscan_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, MPI_Op op);

} // namespace seam
