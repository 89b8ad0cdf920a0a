#include <seam/mesh/detail/luby.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/mesh/detail/rendezvous.hpp>

#include <fmt/format.h>

#include <utility>

namespace seam::detail {
namespace {

/// A number that looks random: the finalizer of SplitMix64.
constexpr std::uint64_t scramble(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// The nodes of other ranks at the ends of edges, by ascending id.
std::vector<global_id> others_of(distributed_graph const& graph, int rank) {
  std::vector<global_id> others;
  for (std::size_t e = 0; e < graph.edges2ids.size(); ++e)
    if (graph.edges2ranks[e] != rank)
      others.push_back(graph.edges2ids[e]);
  keep_distinct(others);
  return others;
}

/// Own nodes by ascending id, to find their places.
std::vector<std::pair<global_id, local_id>> places_by_id(distributed_graph const& graph) {
  std::vector<std::pair<global_id, local_id>> places;
  for (std::size_t n = 0; n < graph.ids.size(); ++n)
    places.emplace_back(graph.ids[n], static_cast<local_id>(n));
  std::ranges::sort(places);
  return places;
}

/// All ranks have the nodes that others' edges lead to. Collective: over `over`.
void check_edges(Communicator const& over, distributed_graph const& graph) {
  collectively(over.context(), [&] {
    if (std::ssize(graph.nodes2edges) != std::ssize(graph.ids) + 1 ||
        graph.nodes2edges.back() != std::ssize(graph.edges2ids) ||
        graph.edges2ranks.size() != graph.edges2ids.size())
      refuse(fmt::format("graph: {} nodes with {} ends of rows, {} edges and {} ranks (expected a "
                         "row for each node, a rank for each edge)",
                         graph.ids.size(), graph.nodes2edges.size(), graph.edges2ids.size(),
                         graph.edges2ranks.size()));
    for (int const rank : graph.edges2ranks)
      if (rank < 0 || rank >= over.size())
        refuse(fmt::format("graph: an edge to rank {} (expected 0 to {})", rank, over.size() - 1));
  });
  auto const own = places_by_id(graph);
  auto asked = send_records<global_id>(over, graph.edges2ids, graph.edges2ranks).records;
  collectively(over.context(), [&] {
    for (global_id const id : asked)
      if (auto const found =
              std::ranges::lower_bound(own, id, {}, [](auto const& p) { return p.first; });
          found == own.end() || found->first != id)
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
  for (std::size_t n = 0; n < graph.ids.size(); ++n) {
    auto const first_rank = static_cast<std::ptrdiff_t>(ranks_.size());
    for (auto e = std::size_t(graph.nodes2edges[n]); e < std::size_t(graph.nodes2edges[n + 1]);
         ++e) {
      bool const is_own = graph.edges2ranks[e] == over.rank();
      auto const by_id = [](auto const& place) { return place.first; };
      neighbors_.ab2b.push_back(
          is_own ? std::ranges::lower_bound(own, graph.edges2ids[e], {}, by_id)->second
                 : static_cast<local_id>(std::ranges::lower_bound(others, graph.edges2ids[e]) -
                                         others.begin() + std::ssize(graph.ids)));
      if (!is_own)
        ranks_.push_back(graph.edges2ranks[e]);
    }
    neighbors_.end_row();
    std::sort(ranks_.begin() + first_rank, ranks_.end());
    ranks_.erase(std::unique(ranks_.begin() + first_rank, ranks_.end()), ranks_.end());
    nodes2ranks_.push_back(std::ssize(ranks_));
  }
}

local_id luby_graph::place_of(global_id other) const {
  auto const others = ids_.begin() + num_own();
  return static_cast<local_id>(std::lower_bound(others, ids_.end(), other) - ids_.begin());
}

/// Tells own nodes to the ranks of their neighbors; returns what this one has been told.
std::vector<local_id> luby_graph::tell(std::span<local_id const> own) {
  for (local_id const node : own)
    for (auto r = nodes2ranks_[std::size_t(node)]; r < nodes2ranks_[std::size_t(node) + 1]; ++r)
      exchange_.pack(ranks_[std::size_t(r)], ids_[std::size_t(node)]);
  exchange_.exchange();
  std::vector<local_id> told;
  while (exchange_.receive())
    told.push_back(place_of(exchange_.unpack<global_id>()));
  return told;
}

bool luby_graph::any(std::span<char const> flags) const {
  int const mine = std::ranges::count(flags, 0) < std::ssize(flags) ? 1 : 0;
  return mpi::allreduce(over_->context(), mine, MPI_MAX) != 0;
}

/// The own candidates whose number is lower than those of all candidates beside them.
std::vector<local_id> luby_graph::own_set(std::span<char const> candidates,
                                          std::uint64_t seed) const {
  auto const number_of = [&](local_id node) {
    auto const id = ids_[static_cast<std::size_t>(node)];
    return std::pair(scramble(seed ^ scramble(static_cast<std::uint64_t>(id))), id);
  };
  std::vector<local_id> lowest;
  for (local_id node = 0; node < num_own(); ++node) {
    if (candidates[static_cast<std::size_t>(node)] == 0)
      continue;
    auto const own = number_of(node);
    if (std::ranges::none_of(neighbors_[node], [&](local_id other) {
          return candidates[static_cast<std::size_t>(other)] != 0 && number_of(other) < own;
        }))
      lowest.push_back(node);
  }
  return lowest;
}

std::vector<char> luby_graph::find_set(std::vector<char> candidates, std::uint64_t seed) {
  std::vector<char> set(ids_.size(), 0);
  auto const own = std::span(candidates).first(static_cast<std::size_t>(num_own()));
  for (std::uint64_t round = 0; any(own); ++round) {
    auto const chosen = own_set(candidates, scramble(seed + scramble(round)));
    auto const told = tell(chosen);
    for (auto const* some : {&chosen, &told})
      for (local_id const node : *some) {
        set[static_cast<std::size_t>(node)] = 1;
        candidates[static_cast<std::size_t>(node)] = 0;
      }
    std::vector<local_id> leaving;
    for (local_id node = 0; node < num_own(); ++node)
      if (own[static_cast<std::size_t>(node)] != 0 &&
          std::ranges::any_of(neighbors_[node], [&](local_id other) {
            return set[static_cast<std::size_t>(other)] != 0;
          }))
        leaving.push_back(node);
    for (local_id const node : leaving)
      own[static_cast<std::size_t>(node)] = 0;
    for (local_id const node : tell(leaving))
      candidates[static_cast<std::size_t>(node)] = 0;
  }
  return set;
}

std::vector<int> luby_graph::with_others(std::span<int const> own) {
  std::vector<int> all(own.begin(), own.end());
  all.resize(ids_.size());
  for (local_id node = 0; node < num_own(); ++node)
    for (auto r = nodes2ranks_[std::size_t(node)]; r < nodes2ranks_[std::size_t(node) + 1]; ++r)
      exchange_.pack(ranks_[std::size_t(r)], ids_[std::size_t(node)], own[std::size_t(node)]);
  exchange_.exchange();
  while (exchange_.receive()) {
    auto const id = exchange_.unpack<global_id>();
    exchange_.unpack(all[static_cast<std::size_t>(place_of(id))]);
  }
  return all;
}

} // namespace seam::detail
