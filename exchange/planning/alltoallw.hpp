/// Alltoallw on a graph: along every edge its own blocks of memory.
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <vector>

namespace seam {

/// The memory that takes part, edge by edge (CSR pairs in the order of the topology's edges).
///
/// What leaves along the k-th edge from a to b has as many bytes as what arrives along it.
struct alltoallw_buffers {
  std::vector<int> destinations2sources; ///< [num_destinations + 1] -> sources
  std::vector<block> sources;
  std::vector<int> sources2targets; ///< [num_sources + 1] -> targets
  std::vector<target> targets;
  std::vector<int> gates;   ///< [num_destinations] the gate each waits for; empty: all gate 0
  bool overlapping = false; ///< sources and targets share memory: nothing travels unpacked
};

/// Up to here edges to one peer share a message: what MPI libraries send without asking the
/// receiver first. [bytes]
inline constexpr std::int64_t most_merged_bytes = 4000;

/// One rank's schedule of an alltoallw along the edges of `topology`.
///
/// At most one message for each edge; small edges to one peer share one, however many there are;
/// edges to the process itself are copies; edges without bytes cost nothing. Messages are ordered
/// by the distance of the peer from `rank`, whatever the order of the edges, so that no process is
/// everybody's first. Local. Source: [Traeff2021] sec. 2 (MPI_Alltoallw on a graph topology).
schedule make_alltoallw(int rank, int num_processes, Topology const& topology,
                        alltoallw_buffers const& buffers);

/// Returns if what a process sends to itself along an edge is as long as what it expects. Local.
/// @throws usage_error  it is not
void check_own_bytes(int rank, std::int64_t sent, std::int64_t expected);

} // namespace seam
