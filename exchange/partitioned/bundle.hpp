/// Bundles: the edges of a partitioned collective at one process, with the partitions of each.
#pragma once

#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/planning/detail/movement.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// Memory from which a block leaves, and memory into which another one arrives; in the user's they
/// are the same.
struct in_place_staging {
  /// For `block`. Local.
  explicit in_place_staging(partitioned_buffer const& block);

  std::shared_ptr<std::byte[]> out, in;
  partitioned_buffer leaving, arriving; ///< in this memory, with as many partitions and bytes
};

/// Joins both ends of the edge of `block`, whose memory is that of `staging`: `out` sends a packed
/// copy of each partition that is ready, and the partition that has arrived by `in` then overwrites
/// it. Local.
std::unique_ptr<part> make_in_place_block(partitioned_buffer const& block,
                                          in_place_staging const& staging,
                                          std::unique_ptr<part> out, std::unique_ptr<part> in);

/// The buffer that leaves along an edge, or arrives along it.
struct edge_end {
  int edge; ///< index among the destinations, or the sources
  partitioned_buffer buffer;
  bool leads_nowhere = false; ///< its partitions have numbers, and no data moves
};

/// An edge whose block leaves from the memory into which another block arrives.
struct in_place_edge {
  int edge; ///< index among the destinations, and among the sources
  partitioned_buffer block;
  in_place_staging staging; ///< memory of the two ends of the edge
};

/// A partitioned collective as its edges, in their order.
struct edge_bundle {
  std::vector<edge_end> leaving{}, arriving{};
  std::vector<in_place_edge> in_place{};
  bool for_all = false; ///< the same partitions leave along all edges
};

/// Cuts the blocks of a movement into partitions.
///
/// @param call            begins error lines
/// @param sent, received  numbers of partitions of the blocks that leave, and of those that arrive
/// @throws usage_error    they do not divide a block, or a buffer is impossible
/// Local.
edge_bundle bundle_of(char const* call, movement const& moved, partition_counts const& sent,
                      partition_counts const& received);

/// Lets blocks in place leave from, and arrive in, memory of their own.
///
/// @throws usage_error  destinations and sources are not the same processes, in the same order
/// Local.
void stage_in_place(char const* call, collective_edges const& over, movement const& moved,
                    edge_bundle& bundle);

/// The rank at the other end of the edge of an end that leaves, or that arrives; MPI_PROC_NULL if it
/// leads nowhere. Local.
int destination_of(collective_edges const& edges, edge_end const& end);
int source_of(collective_edges const& edges, edge_end const& end);

/// The buffers at both ends of the edges from the process to itself, in their order.
struct own_pairs {
  std::vector<partitioned_buffer const*> from, into;
};

/// The buffers of a bundle that belong to such edges. Local.
own_pairs own_buffers(collective_edges const& edges, edge_bundle const& bundle);

} // namespace seam::detail
