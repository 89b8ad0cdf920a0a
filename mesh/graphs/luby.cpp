#include <seam/mesh/graphs/luby.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/digest.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>

#include <fmt/format.h>

#include <utility>

namespace seam::detail {
namespace {

/// The nodes of other ranks at the ends of edges, by ascending id.
std::vector<global_id> others_of(distributed_graph const& graph, int rank) {
  std::vector<global_id> others;
  for (std::int64_t e = 0; e < std::ssize(graph.edges2ids); ++e)
    if (graph.edges2ranks[e] != rank)
      others.push_back(graph.edges2ids[e]);
  keep_distinct(others);
  return others;
}

/// Own nodes by ascending id, to find their places.
std::vector<std::pair<global_id, local_id>> places_by_id(distributed_graph const& graph) {
  std::vector<std::pair<global_id, local_id>> places;
  for (local_id n = 0; n < graph.num_nodes(); ++n)
    places.emplace_back(graph.ids[n], n);
  std::ranges::sort(places);
  return places;
}

/// The first place whose id is not lower.
auto place_in(std::span<std::pair<global_id, local_id> const> places, global_id id) {
  return std::ranges::lower_bound(places, id, {}, [](auto const& entry) { return entry.first; });
}
local_id place_in(std::span<global_id const> sorted, global_id id) {
  return static_cast<local_id>(std::ranges::lower_bound(sorted, id) - sorted.begin());
}

void check_lengths(distributed_graph const& graph, int num_ranks) {
  if (std::ssize(graph.nodes2edges) != std::ssize(graph.ids) + 1 ||
      graph.nodes2edges.back() != std::ssize(graph.edges2ids) ||
      graph.edges2ranks.size() != graph.edges2ids.size())
    refuse(
        fmt::format("graph: {} nodes with {} ends of rows, {} edges and {} ranks (expected a row "
                    "for each node, a rank for each edge)",
                    graph.ids.size(), graph.nodes2edges.size(), graph.edges2ids.size(),
                    graph.edges2ranks.size()));
  for (int const rank : graph.edges2ranks)
    if (rank < 0 || rank >= num_ranks)
      refuse(fmt::format("graph: an edge to rank {} (expected 0 to {})", rank, num_ranks - 1));
}

/// Checks that each rank has the nodes to which other ranks' edges lead.
/// Collective: over `over`.
void check_edges(Communicator const& over, distributed_graph const& graph) {
  collectively(over.context(), [&] { check_lengths(graph, over.size()); });
  auto const own = places_by_id(graph);
  auto const wanted = send_records<global_id>(over, graph.edges2ids, graph.edges2ranks).records;
  collectively(over.context(), [&] {
    for (global_id const id : wanted)
      if (auto const found = place_in(own, id); found == std::span(own).end() || found->first != id)
        refuse(fmt::format("graph: an edge to node {} (expected one that the rank has)", id));
  });
}

} // namespace

luby_graph::luby_graph(Communicator const& over, distributed_graph const& graph)
    : over_(&over), ids_(graph.ids), exchange_(over) {
  check_edges(over, graph);
  auto const own = places_by_id(graph);
  auto const others = others_of(graph, over.rank());
  ids_.insert(ids_.end(), others.begin(), others.end());
  std::vector<int> ranks;
  for (local_id n = 0; n < graph.num_nodes(); ++n) {
    ranks.clear();
    for (auto e = graph.nodes2edges[n]; e < graph.nodes2edges[n + 1]; ++e) {
      global_id const id = graph.edges2ids[e];
      bool const is_own = graph.edges2ranks[e] == over.rank();
      neighbors_.ab2b.push_back(is_own ? place_in(own, id)->second
                                       : graph.num_nodes() + place_in(others, id));
      if (!is_own)
        ranks.push_back(graph.edges2ranks[e]);
    }
    neighbors_.end_row();
    keep_distinct(ranks);
    ranks_.insert(ranks_.end(), ranks.begin(), ranks.end());
    nodes2ranks_.push_back(std::ssize(ranks_));
  }
}

local_id luby_graph::place_of(global_id other) const {
  auto const others = ids_.begin() + num_own();
  return static_cast<local_id>(std::lower_bound(others, ids_.end(), other) - ids_.begin());
}

/// Sends own nodes to the ranks of their neighbors; returns the nodes that this rank receives.
std::vector<local_id> luby_graph::send_to_neighbors(std::span<local_id const> own) {
  for (local_id const node : own)
    for (auto r = nodes2ranks_[node]; r < nodes2ranks_[node + 1]; ++r)
      exchange_.pack(ranks_[r], ids_[node]);
  exchange_.exchange();
  std::vector<local_id> received_nodes;
  while (exchange_.receive())
    received_nodes.push_back(place_of(exchange_.unpack<global_id>()));
  return received_nodes;
}

bool luby_graph::any(std::span<char const> flags) const {
  int const flag = std::ranges::count(flags, 0) < std::ssize(flags) ? 1 : 0;
  return mpi::allreduce(over_->context(), flag, MPI_MAX) != 0;
}

/// The own candidates whose number is lower than that of every neighboring candidate.
std::vector<local_id> luby_graph::lowest(std::span<char const> candidates,
                                         std::uint64_t seed) const {
  auto const number_of = [&](local_id node) {
    auto const id = ids_[node];
    return std::pair(scrambled(seed ^ scrambled(static_cast<std::uint64_t>(id))), id);
  };
  std::vector<local_id> found;
  for (local_id node = 0; node < num_own(); ++node) {
    if (candidates[node] == 0)
      continue;
    auto const own = number_of(node);
    if (std::ranges::none_of(neighbors_[node], [&](local_id other) {
          return candidates[other] != 0 && number_of(other) < own;
        }))
      found.push_back(node);
  }
  return found;
}

/// The own candidates that have a neighbor in the set.
std::vector<local_id> luby_graph::with_neighbor_in(std::span<char const> set,
                                                   std::span<char const> candidates) const {
  std::vector<local_id> found;
  for (local_id node = 0; node < num_own(); ++node)
    if (candidates[node] != 0 &&
        std::ranges::any_of(neighbors_[node], [&](local_id other) { return set[other] != 0; }))
      found.push_back(node);
  return found;
}

std::vector<local_id> luby_graph::with_received(std::vector<local_id> own) {
  auto const received_nodes = send_to_neighbors(own);
  own.insert(own.end(), received_nodes.begin(), received_nodes.end());
  return own;
}

std::vector<char> luby_graph::find_set(std::vector<char> candidates, std::uint64_t seed) {
  std::vector<char> set(ids_.size(), 0);
  auto const own = std::span(candidates).first(num_own());
  for (std::uint64_t round = 0; any(own); ++round) {
    for (local_id const node :
         with_received(lowest(candidates, scrambled(seed + scrambled(round))))) {
      set[node] = 1;
      candidates[node] = 0;
    }
    for (local_id const node : with_received(with_neighbor_in(set, candidates)))
      candidates[node] = 0;
  }
  return set;
}

std::vector<int> luby_graph::with_others(std::span<int const> own) {
  std::vector<int> all(own.begin(), own.end());
  all.resize(ids_.size());
  for (local_id node = 0; node < num_own(); ++node)
    for (auto r = nodes2ranks_[node]; r < nodes2ranks_[node + 1]; ++r)
      exchange_.pack(ranks_[r], ids_[node], own[node]);
  exchange_.exchange();
  while (exchange_.receive()) {
    auto const id = exchange_.unpack<global_id>();
    exchange_.unpack(all[place_of(id)]);
  }
  return all;
}

} // namespace seam::detail
