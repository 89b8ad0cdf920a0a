/// Partitioned collectives that move data, on complete communicators and, with the same calls,
/// along the edges of graphs (MPI's neighbor collectives). On bipartite communicators data moves
/// from one side to the other, and the root is given as in MPI (MPI_ROOT, MPI_PROC_NULL).
///
///     auto turn = palltoall_init(world, {out, 4, n, MPI_DOUBLE}, {in, 4, n, MPI_DOUBLE});
///     turn.start();
///     turn.ready(2, 5);                          // partition 2 of the block for rank 5
///     if (turn.arrived(0, 3)) ...                // partition 0 of the block from rank 3
///     turn.wait();
///
/// Each edge is partitioned by itself ([Holmes2021] sec. V.A, figure 2, bottom): `count` of a
/// buffer is that of one partition, and the block of an edge is `partitions` times as long. Blocks
/// are contiguous, in the order of ranks or of the graph's edges; in the w-forms each
/// lies anywhere and has a type of its own. The two ends of an edge may have different numbers of
/// partitions. partitioned_operation.hpp says how partitions are numbered.
///
/// All functions of this header:
/// @throws usage_error  the ends of an edge differ in bytes, roots or settings differ, or, in
///                      checked mode, a receive buffer overlaps another buffer (the same on all
///                      ranks)
///
/// Collective: over `over`, in the same order on all ranks; may synchronize.
///
/// Buffers must stay where they are as long as the operation lives.
///
/// prepare_partitioned() makes the partitioned form of any collective that moves blocks; the other
/// functions are short for it.
///
/// Source: [Holmes2021] figure 1; [Traeff2021] sec. 2 for graphs.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/settings.hpp>

#include <vector>

namespace seam {

/// Makes the partitioned form of a collective that moves blocks: one of alltoall.hpp,
/// allgather.hpp, gather.hpp, scatter.hpp or bcast.hpp, in any of its variants. What leaves and
/// arrives along each edge is as in its other forms.
///
///     auto turn = prepare_partitioned(world, alltoallv(out, counts, in, counts), 4, 2);
///
/// @param sent      numbers of partitions of the blocks that this process sends; one number if it
///                  sends one block to all; not read for blocks that MPI_IN_PLACE sends from where
///                  others are received, which have the partitions of those
/// @param received  numbers of partitions of the blocks that it receives; each divides the length
///                  of its block
/// @throws usage_error  as above; the collective combines values or moves none (reductions.hpp has
///                      partitioned reductions); partitions do not divide a block
partitioned_operation prepare_partitioned(Communicator const& over, collective const& call,
                                          partition_counts const& sent,
                                          partition_counts const& received,
                                          partitioned_settings const& settings = {});

/// Sends the partitions of the root's `buffer` to all other ranks (to its out-neighbors). The root
/// marks them; it receives nothing. Where several edges lead from the root to one process, the
/// partitions travel along the first of these.
partitioned_operation pbcast_init(Communicator const& over, partitioned_buffer const& buffer,
                                  int root, partitioned_settings const& settings = {});

/// Sends `send` of every rank to the root (along each edge that ends there), also that of the root
/// itself unless its `send.data` is MPI_IN_PLACE. A process without such an edge marks its
/// partitions all the same. `receive` is the first block, at the root.
partitioned_operation pgather_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, int root,
                                   partitioned_settings const& settings = {});

/// @param receives  at the root one for each source; not read elsewhere
partitioned_operation pgatherw_init(Communicator const& over, partitioned_buffer const& send,
                                    std::vector<partitioned_buffer> const& receives, int root,
                                    partitioned_settings const& settings = {});

/// Sends one of the root's blocks to each rank; `send` is the first of them. At the root
/// `receive.data` may be MPI_IN_PLACE; the root's own block is then marked as the others are, and
/// stays in its place. Where several edges lead from the root to one process, that process gets the
/// block of the last edge; the blocks of the other edges are marked, too, and not sent.
partitioned_operation pscatter_init(Communicator const& over, partitioned_buffer const& send,
                                    partitioned_buffer const& receive, int root,
                                    partitioned_settings const& settings = {});

/// @param sends  at the root one for each destination; not read elsewhere
partitioned_operation pscatterw_init(Communicator const& over,
                                     std::vector<partitioned_buffer> const& sends,
                                     partitioned_buffer const& receive, int root,
                                     partitioned_settings const& settings = {});

/// Sends `send` to all ranks (along all edges). Each partition is marked once for all of them, also
/// where there is no destination. With MPI_IN_PLACE in `send.data` a process sends its own block
/// among those that it receives, in the partitions of that block.
partitioned_operation pallgather_init(Communicator const& over, partitioned_buffer const& send,
                                      partitioned_buffer const& receive,
                                      partitioned_settings const& settings = {});

/// @param receives  one for each source
partitioned_operation pallgatherw_init(Communicator const& over, partitioned_buffer const& send,
                                       std::vector<partitioned_buffer> const& receives,
                                       partitioned_settings const& settings = {});

/// Sends a different block along each edge. `send` and `receive` are the first of the blocks.
/// With MPI_IN_PLACE in `send.data` the blocks of `receive` are sent, and replaced by the arriving
/// ones: a partition may be overwritten once it has been marked ready. Destinations and sources
/// must then be the same processes, in the same order.
partitioned_operation palltoall_init(Communicator const& over, partitioned_buffer const& send,
                                     partitioned_buffer const& receive,
                                     partitioned_settings const& settings = {});

/// @param sends, receives  one for each destination, one for each source; or all sends are
///                         MPI_IN_PLACE, or none are given, which means the same
partitioned_operation palltoallw_init(Communicator const& over,
                                      std::vector<partitioned_buffer> const& sends,
                                      std::vector<partitioned_buffer> const& receives,
                                      partitioned_settings const& settings = {});

} // namespace seam
