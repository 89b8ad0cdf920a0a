/// The edges that a collective is planned for, whatever the topology of its communicator.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/planning/detail/vector_bytes.hpp>

#include <memory>
#include <optional>

namespace seam::detail {

/// The edges of one process: those of a graph, or one to and one from each process that it
/// exchanges with if the communicator is complete or bipartite.
struct collective_edges {
  Topology topology; ///< always a graph
  int rank;          ///< of this process among the peers; MPI_PROC_NULL if it is none of them
  int num_peers;     ///< processes that edges can lead to
  std::shared_ptr<cartesian_structure const> structure; ///< of a Cartesian graph, or nullptr
  std::optional<vector_bytes> vectors2bytes{};          ///< if they are equal on all processes
};

/// Number of peers in a collective on a complete or bipartite communicator. Local.
int num_peers_of(MPI_Comm comm);

/// The edges along which collectives of `over` take place. Local.
collective_edges edges_of(Communicator const& over);

/// Edges to and from each process of `over`, of the other group if it is bipartite. Local.
collective_edges edges_to_all_peers(Communicator const& over);

} // namespace seam::detail
