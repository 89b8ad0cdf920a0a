#include "kernel/seam_topology.hpp"

#include <seam/mapping.hpp>
#include <seam/sparse.hpp>

#include <algorithm>

namespace guidelines {
namespace {

std::vector<seam::edge> edges_to(std::vector<int> const& ranks) {
  std::vector<seam::edge> edges;
  edges.reserve(ranks.size());
  for (int rank : ranks)
    edges.push_back({rank});
  return edges;
}

std::vector<int> ranks_of(std::span<seam::edge const> edges) {
  std::vector<int> ranks;
  ranks.reserve(edges.size());
  for (seam::edge const& listed : edges)
    ranks.push_back(listed.rank);
  return ranks;
}

} // namespace

seam_topology::seam_topology(experiment const& described, seam::Communicator const& world)
    : described_(described),
      over_(world.dup()),
      lists_(lists_of(described, world.size(), world.rank())) {
  if (described.dimensions > 0)
    seam::name(over_, grid_of(described, world.size()));
}

seam::Topology seam_topology::topology() const {
  if (described_.made_by != constructor::dist_graph_create)
    return seam::Topology::graph(edges_to(lists_.sources), edges_to(lists_.destinations))
        .unweighted();
  std::vector<seam::listed_edge> edges;
  for (int destination : lists_.destinations)
    edges.push_back({over_.rank(), destination});
  return seam::topology_from(over_, edges);
}

seam::Communicator seam_topology::make() const {
  if (described_.around == guidelines::topology::complete)
    return over_.dup();
  auto const edges = topology();
  return described_.reorder ? seam::make_reordered_graph(over_, edges).comm
                            : seam::make_named_graph(over_, edges);
}

bool seam_topology::is_that_of(seam::Communicator const& made) const {
  auto const asked = lists_of(described_, made.size(), made.rank());
  auto const found = lists_in(made);
  return found.destinations == asked.destinations &&
         (described_.made_by == constructor::dist_graph_create
              ? sorted(found.sources) == sorted(asked.sources)
              : found.sources == asked.sources);
}

neighbor_lists lists_in(seam::Communicator const& graph) {
  return {ranks_of(graph.topology().sources()), ranks_of(graph.topology().destinations())};
}

} // namespace guidelines
