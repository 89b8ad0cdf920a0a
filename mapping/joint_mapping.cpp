#include <seam/mapping/joint_mapping.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/strategies/level_by_level.hpp>
#include <seam/mapping/strategies/scotch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace seam::detail {
namespace {

/// A place for each rank: in its part as long as that has free places, else the next free place of
/// the machine. [num_ranks]
std::vector<int> places_near(std::vector<int> const& ranks2parts, machine_level const& level) {
  constexpr int none = -1;
  auto next = level.parts2firsts;
  std::vector<int> ranks2places;
  for (int const part : ranks2parts)
    ranks2places.push_back(next[part] < level.parts2firsts[part + 1] ? next[part]++ : none);
  int part = 0;
  for (int& place : ranks2places)
    if (place == none) {
      while (next[part] == level.parts2firsts[part + 1])
        ++part;
      place = next[part]++;
    }
  return ranks2places;
}

/// One node of a machine as a machine of its own.
machine node_alone(machine const& cluster, int node) {
  int const begin = cluster.nodes().parts2firsts[node],
            end = cluster.nodes().parts2firsts[node + 1];
  std::vector<machine_level> levels;
  for (machine_level const& level : cluster.levels()) {
    levels.push_back({level.name, {}});
    for (int const first : level.parts2firsts)
      if (first >= begin && first <= end)
        levels.back().parts2firsts.push_back(first - begin);
  }
  return machine(std::move(levels));
}

/// The edges to ranks on the same node, which are named by their places on it.
Topology edges_within(Topology const& topology, std::vector<int> const& ranks2places, int first,
                      int num_places) {
  std::vector<edge> inside;
  for (edge const& listed : topology.destinations())
    if (!listed.leads_nowhere())
      if (int const to = ranks2places[listed.rank] - first; to >= 0 && to < num_places)
        inside.push_back({to, listed.weight});
  return Topology::graph({}, std::move(inside));
}

/// The place for the calling rank on its node, where the graph of the node's ranks alone has been
/// gathered and divided level by level.
/// Collective: over `over`.
int place_within_node(mpi::comm_view over, Topology const& topology, machine const& cluster,
                      std::vector<int> const& ranks2places) {
  int const place = ranks2places[over.rank()];
  int const node = cluster.nodes().places2parts()[place];
  int const first = cluster.nodes().parts2firsts[node], size = cluster.nodes().size_of(node);
  mpi::comm const same_node = mpi::split(over, node, place);
  auto const graph = gather_graph(same_node, edges_within(topology, ranks2places, first, size));
  auto positions = collectively(over, [&] {
    if (place != first)
      return std::vector<int>(size);
    return inverse_permutation(*fill_level_by_level(graph, nullptr, node_alone(cluster, node),
                                                    divide_best));
  });
  mpi::bcast(same_node, std::span<int>(positions), 0);
  return first + positions[place - first];
}

/// Places near the nodes that PT-Scotch chooses.
/// Collective: over `over`.
std::vector<int> wanted_places(mpi::comm_view over, Topology const& topology,
                               machine const& cluster) {
  int const node = cluster.nodes().num_parts() > 1 ? node_by_scotch(over, topology, cluster) : 0;
  auto const places = places_near(mpi::allgather(over, node), cluster.nodes());
  return mpi::allgather(over, place_within_node(over, topology, cluster, places));
}

/// The volume between the parts of one level, from the edges that each rank knows. Collective.
cut_volume joint_volume(mpi::comm_view over, Topology const& topology, machine_level const& level,
                        std::vector<int> const& ranks2places) {
  auto const places2parts = level.places2parts();
  auto const part_of = [&](int rank) { return places2parts[ranks2places[rank]]; };
  std::vector<std::int64_t> leaving(level.num_parts(), 0), entering(level.num_parts(), 0);
  int const own_part = part_of(over.rank());
  for (edge const& listed : topology.destinations())
    if (!listed.leads_nowhere() && part_of(listed.rank) != own_part) {
      leaving[own_part] += listed.weight;
      entering[part_of(listed.rank)] += listed.weight;
    }
  mpi::allreduce(over, std::span(leaving), MPI_SUM);
  mpi::allreduce(over, std::span(entering), MPI_SUM);
  return {std::accumulate(leaving.begin(), leaving.end(), std::int64_t{0}),
          std::max(std::ranges::max(leaving), std::ranges::max(entering))};
}

/// The result of cost_of() for the whole graph. Collective.
mapping_cost joint_cost(mpi::comm_view over, Topology const& topology, machine const& cluster,
                        std::vector<int> const& ranks2places) {
  auto const levels = cluster.levels();
  mapping_cost cost;
  for (auto const& level : levels.first(std::max<std::ptrdiff_t>(1, std::ssize(levels) - 1)))
    cost.push_back({level.name, joint_volume(over, topology, level, ranks2places)});
  return cost;
}

} // namespace

rank_mapping map_ranks_jointly(mpi::comm_view over, Topology const& topology,
                               placement const& placed) {
  double const begin = MPI_Wtime();
  auto places = wanted_places(over, topology, placed.tree);
  auto const before = joint_cost(over, topology, placed.tree, placed.ranks2places);
  auto after = joint_cost(over, topology, placed.tree, places);
  if (after == before || !is_no_worse(after, before))
    return {"identity", placed.ranks2places, before, before, MPI_Wtime() - begin};
  return {std::string(joint_strategy), std::move(places), before, std::move(after),
          MPI_Wtime() - begin};
}

namespace {

constexpr int root = 0;

/// The begin of each list, and the end of the last one.
std::vector<int> starts_of(std::vector<int> const& counts) {
  auto const total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (total > std::numeric_limits<int>::max())
    refuse(fmt::format("reordering: a graph of {} edges (expected fewer than 2^31)", total));
  std::vector<int> firsts(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), firsts.begin() + 1);
  return firsts;
}

} // namespace

weighted_graph gather_graph(mpi::comm_view over, Topology const& topology) {
  std::vector<int> ranks, weights;
  for (edge const& listed : topology.destinations())
    if (!listed.leads_nowhere()) {
      ranks.push_back(listed.rank);
      weights.push_back(listed.weight);
    }
  auto const counts = mpi::gather(over, static_cast<int>(ranks.size()), root);
  auto firsts = collectively(over, [&] { return starts_of(counts); });
  auto all_ranks = mpi::gather(over, ranks, firsts, root);
  auto const all_weights = mpi::gather(over, weights, firsts, root);
  return {std::move(firsts), std::move(all_ranks), {all_weights.begin(), all_weights.end()}};
}

} // namespace seam::detail
