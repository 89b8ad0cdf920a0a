/// Alltoallw on a graph: every edge carries its own blocks of memory.
///
///     edges in graph order    rank 2: 8 B | rank 5: 9 kB | rank 2: 16 B | self: 4 B
///     steps of the schedule   one send of 24 B to rank 2, one send to rank 5, one copy
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <vector>

namespace seam::detail {

/// The memory of an alltoallw, edge by edge (CSR pairs in the order of the topology's edges).
///
/// The k-th edge from a to b has the same number of bytes at both ends.
struct alltoallw_buffers {
  std::vector<int> destinations2sources; ///< [num_destinations + 1] -> sources
  std::vector<block> sources;
  std::vector<int> sources2targets; ///< [num_sources + 1] -> targets
  std::vector<target> targets;
  std::vector<int> gates;   ///< [num_destinations] the gate of each edge; empty: gate 0 for all
  bool overlapping = false; ///< sources and targets share memory: nothing travels unpacked
};

/// Up to this length edges to one peer share a message: MPI libraries send it eagerly. [bytes]
inline constexpr std::int64_t most_merged_bytes = 4000;

/// Plans one rank's alltoallw along the edges of `topology`.
///
/// There is at most one message for each edge; small edges to one peer share one; edges to the
/// process itself are copies; edges without bytes cost nothing. Messages are ordered by the
/// distance of the peer from `rank`, so that not all ranks send to the same process first.
///
/// Local. Source: [Traeff2021] sec. 2 (MPI_Alltoallw on a graph topology).
schedule make_alltoallw(int rank, int num_processes, Topology const& topology,
                        alltoallw_buffers const& buffers);

/// Returns if a process sends as many bytes to itself along an edge as it expects. Local.
/// @throws usage_error  it does not
void check_own_bytes(int rank, std::int64_t sent, std::int64_t expected);

} // namespace seam::detail
