#include <seam/exchange/point_to_point/window_targets.hpp>

#include <seam/exchange/planning/detail/edges.hpp>

namespace seam::detail {

collective_edges turned(collective_edges const& edges) {
  return {edges.topology.inverse(), edges.rank, edges.num_peers, nullptr};
}

std::map<int, extents> extents_of_targets(Communicator const& over, collective_edges const& edges,
                                          extents const& own) {
  collective_edges const turned_edges = turned(edges);
  Topology const& backwards = turned_edges.topology;
  std::vector<extents> received(backwards.sources().size());
  std::vector<elements> const sends(backwards.destinations().size(), {&own.length, 2, MPI_INT64_T});
  auto const receives = blocks_from({received.data(), 2, MPI_INT64_T}, received.size());
  operation::immediate(over, along_edges(turned_edges, sends, receives)).run();
  std::map<int, extents> ranks2extents;
  for (int e = 0; e < std::ssize(received); ++e)
    if (edge const& incoming = backwards.sources()[e]; !incoming.leads_nowhere())
      ranks2extents[incoming.rank] = received[e];
  return ranks2extents;
}

neighbor_signs::neighbor_signs(Communicator const& over, collective_edges const& along)
    : signs_(along.topology.sources().size() + 1), operation_(make(over, along)) {}

operation neighbor_signs::make(Communicator const& over, collective_edges const& along) {
  elements const sign{signs_.data(), 1, MPI_BYTE};
  std::vector<elements> const sends(along.topology.destinations().size(), sign);
  auto const receives = blocks_from(nth_block(sign, 1), std::ssize(signs_) - 1);
  return {over, along_edges(along, sends, receives)};
}

} // namespace seam::detail
