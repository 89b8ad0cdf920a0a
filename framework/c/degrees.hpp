/// The numbers of blocks that a collective receives and sends at one process.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

namespace seam::detail {

/// The edges that end at this process; without a graph, the processes that it may hear from. Local.
inline int in_degree(Communicator const& over) {
  Topology const& topology = over.topology();
  return topology.is_graph() ? static_cast<int>(topology.sources().size())
                             : num_peers_of(over.view().native());
}

/// The edges that begin at this process; without a graph, the processes that it may send to. Local.
inline int out_degree(Communicator const& over) {
  Topology const& topology = over.topology();
  return topology.is_graph() ? static_cast<int>(topology.destinations().size())
                             : num_peers_of(over.view().native());
}

} // namespace seam::detail
