/// Partitioned collectives that move data, on complete communicators and, with the same calls,
/// along the edges of graphs: what MPI names neighbor collectives. On bipartite communicators they
/// go from side to side, with MPI's names for roots.
///
///     auto turn = palltoall_init(world, {out, 4, n, MPI_DOUBLE}, {in, 4, n, MPI_DOUBLE});
///     turn.start();
///     turn.ready(2, 5);                          // partition 2 of what rank 5 gets
///     if (turn.arrived(0, 3)) ...                // partition 0 of what rank 3 sends
///     turn.wait();
///
/// Each edge is partitioned by itself ([Holmes2021] sec. V.A, figure 2, bottom): `count` of a
/// buffer is that of one partition, and the block of an edge is `partitions` times as long. Blocks
/// lie one behind the other, in the order of ranks or of the graph's edges; the w-forms take them
/// from anywhere, of any shape. Both ends of an edge may cut it as they like. Marks and arrivals
/// are numbered as partitioned_operation.hpp says.
///
/// All: @throws usage_error, the same on all ranks, if the ends of an edge differ in bytes, if
/// roots or settings differ, or, in checked mode, if memory that is received into overlaps other
/// buffers. Collective: over `over`, in the same order on all ranks; may synchronize. Buffers stay
/// where they are as long as the operation lives. Source: [Holmes2021] figure 1; [Traeff2021] sec.
/// 2 for graphs.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/buffer.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/settings.hpp>

#include <vector>

namespace seam {

/// Partitions of `buffer` go from the root to all others (to its out-neighbors). The root marks
/// them; it receives nothing. Where several edges lead from the root to one process, they travel
/// along the first of these.
partitioned_operation pbcast_init(Communicator const& over, partitioned_buffer const& buffer,
                                  int root, partitioned_settings const& settings = {});

/// `send` of every rank goes to the root (along each edge that ends there), also the root's own
/// unless `send.data` is MPI_IN_PLACE. Who has no such edge marks its partitions all the same.
/// `receive` is the first block, at the root.
partitioned_operation pgather_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, int root,
                                   partitioned_settings const& settings = {});

/// @param receives  at the root one for each source; not looked at elsewhere
partitioned_operation pgatherw_init(Communicator const& over, partitioned_buffer const& send,
                                    std::vector<partitioned_buffer> const& receives, int root,
                                    partitioned_settings const& settings = {});

/// The root's blocks, of which `send` is the first, go to a rank each. At the root `receive.data`
/// may be MPI_IN_PLACE; its own block is then marked as the others are, and stays. Where several
/// edges lead from the root to one process, that gets the block of the last of these; the blocks of
/// the others are marked like it, and go nowhere.
partitioned_operation pscatter_init(Communicator const& over, partitioned_buffer const& send,
                                    partitioned_buffer const& receive, int root,
                                    partitioned_settings const& settings = {});

/// @param sends  at the root one for each destination; not looked at elsewhere
partitioned_operation pscatterw_init(Communicator const& over,
                                     std::vector<partitioned_buffer> const& sends,
                                     partitioned_buffer const& receive, int root,
                                     partitioned_settings const& settings = {});

/// `send` goes to everybody (along all edges), marked once for all, also where there is none.
/// MPI_IN_PLACE in `send.data`
/// takes the process's own block among those it receives, in that one's partitions.
partitioned_operation pallgather_init(Communicator const& over, partitioned_buffer const& send,
                                      partitioned_buffer const& receive,
                                      partitioned_settings const& settings = {});

/// @param receives  one for each source
partitioned_operation pallgatherw_init(Communicator const& over, partitioned_buffer const& send,
                                       std::vector<partitioned_buffer> const& receives,
                                       partitioned_settings const& settings = {});

/// A block of its own goes along each edge. `send` and `receive` are the first of the blocks.
/// MPI_IN_PLACE in `send.data` sends the blocks that are received into, in their partitions: what
/// arrives in a partition takes its place once that is ready. Destinations and sources are then the
/// same processes, in the same order.
partitioned_operation palltoall_init(Communicator const& over, partitioned_buffer const& send,
                                     partitioned_buffer const& receive,
                                     partitioned_settings const& settings = {});

/// @param sends, receives  one for each destination, one for each source; or all sends are
///                         MPI_IN_PLACE
partitioned_operation palltoallw_init(Communicator const& over,
                                      std::vector<partitioned_buffer> const& sends,
                                      std::vector<partitioned_buffer> const& receives,
                                      partitioned_settings const& settings = {});

} // namespace seam
