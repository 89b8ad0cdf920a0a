/// Movements: what a collective that moves data sends and receives along each edge of one process.
/// The schedule of all its forms, the comparison of lengths and its partitioned form are made of
/// this one value.
///
///     gather to rank 2, at rank 1 of three    leaving  none, none, send     arriving  none
///     the same at rank 2, in place            leaving  none                 arriving  0, 1, stays
///
/// Source: [Traeff2021] sec. 2.
#pragma once

#include <seam/exchange/planning/detail/edges.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace seam::detail {

/// The block of one edge.
struct moved_block {
  elements values{};
  bool travels = true; ///< false: it stays where it is, and its partitions are still numbered

  /// Of a block that leaves: the source in whose block it lies, as MPI_IN_PLACE says.
  std::optional<int> lies_in{};
};

/// The blocks of edges, in their order; some edges may have none.
using moved_blocks = std::vector<std::optional<moved_block>>;

/// The blocks that one process sends and receives. If blocks lie in those of sources and each
/// process sends different blocks, an arriving block overwrites the one that leaves from its place.
struct movement {
  moved_blocks leaving{};  ///< [destinations]
  moved_blocks arriving{}; ///< [sources]

  /// On all processes alike: each sends one block along all edges that have one. The block travels
  /// once to each peer, and its partitions are marked once.
  bool is_for_all = false;

  /// If `is_for_all`: this process has such a block, also where no edge carries it.
  bool has_block = false;

  /// A block as long as all others on all processes, if the arguments show that they are.
  std::optional<elements> as_long_as_all{};
};

/// One block along each edge; all blocks are sent. Local.
moved_blocks moved_along(std::vector<elements> const& blocks);

/// No blocks along `edges`. Local.
moved_blocks none_along(std::span<edge const> edges);

/// Block e leaves along destination e, and the block that comes along source e overwrites it.
/// Local.
movement exchanged_in_place(std::vector<elements> const& blocks);

/// True if arriving blocks overwrite blocks that leave. Local.
bool is_in_place(movement const& moved);

/// Refuses a movement with more or fewer blocks than edges, and one that sends MPI_IN_PLACE, since
/// the process does not receive its own block.
/// @param call  begins the error line
/// Local.
void check_movement(char const* call, collective_edges const& over, movement const& moved);

/// The blocks that travel; edges without one have no elements. Local.
std::vector<elements> travelling(moved_blocks const& blocks);

/// The bytes of each block, for comparisons of all ranks. Local.
edge_bytes bytes_of(movement const& moved);

/// Compiles one process's movement to a schedule. On a Cartesian graph messages are combined where
/// it pays, if all ranks know that the lengths of blocks allow it.
///
/// @throws usage_error  the blocks of a process's edges to itself differ at their two ends
/// Local.
schedule plan_movement(collective_edges const& over, movement const& moved);

} // namespace seam::detail
