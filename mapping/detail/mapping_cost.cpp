#include <seam/mapping/detail/mapping_cost.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam {
using namespace detail;

cut_volume volume_between(weighted_graph const& graph, std::span<int const> ranks2parts) {
  int const num_parts = ranks2parts.empty() ? 0 : std::ranges::max(ranks2parts) + 1;
  std::vector<std::int64_t> leaving(num_parts, 0), entering(num_parts, 0);
  cut_volume volume;
  for (int u = 0; u < graph.num_ranks(); ++u) {
    int const from = ranks2parts[u];
    std::int64_t leaves = 0;
    for (int e = graph.ranks2edges[u]; e < graph.ranks2edges[u + 1]; ++e)
      if (int const to = ranks2parts[graph.edges2ranks[e]]; from != to) {
        leaves += graph.edges2weights[e];
        entering[to] += graph.edges2weights[e];
      }
    leaving[from] += leaves;
    volume.sum += leaves;
  }
  for (int part = 0; part < num_parts; ++part)
    volume.worst = std::max({volume.worst, leaving[part], entering[part]});
  return volume;
}

std::int64_t sum_between(weighted_graph const& graph, std::span<int const> ranks2parts,
                         std::int64_t limit) {
  std::int64_t sum = 0;
  for (int u = 0; u < graph.num_ranks() && sum <= limit; ++u) {
    int const from = ranks2parts[u];
    for (int e = graph.ranks2edges[u]; e < graph.ranks2edges[u + 1]; ++e)
      sum += ranks2parts[graph.edges2ranks[e]] != from ? graph.edges2weights[e] : 0;
  }
  return sum;
}

std::span<machine_level const> levels_with_costs(machine const& cluster) {
  auto const levels = cluster.levels();
  return levels.first(std::max<std::ptrdiff_t>(1, std::ssize(levels) - 1));
}

mapping_cost cost_of(weighted_graph const& graph, machine const& cluster,
                     std::span<int const> ranks2places) {
  if (std::ssize(ranks2places) != graph.num_ranks() || graph.num_ranks() != cluster.num_places())
    refuse(fmt::format("mapping: {} places of {} for {} ranks (expected as many)",
                       ranks2places.size(), cluster.num_places(), graph.num_ranks()));
  static_cast<void>(inverse_permutation(ranks2places));
  mapping_cost cost;
  for (machine_level const& level : levels_with_costs(cluster)) {
    auto const places2parts = level.places2parts();
    std::vector<int> ranks2parts;
    for (int const place : ranks2places)
      ranks2parts.push_back(places2parts[place]);
    cost.push_back({level.name, volume_between(graph, ranks2parts)});
  }
  return cost;
}

bool is_no_worse(mapping_cost const& a, mapping_cost const& b) {
  auto const differs = std::ranges::mismatch(a, b);
  if (differs.in1 == a.end() || differs.in2 == b.end())
    return true;
  auto const &first = differs.in1->volume, &second = differs.in2->volume;
  return first.sum <= second.sum && first.worst <= second.worst;
}

std::vector<int> inverse_permutation(std::span<int const> permutation) {
  int const size = std::ssize(permutation);
  constexpr int unseen = -1;
  std::vector<int> inverse(size, unseen);
  for (int i = 0; i < size; ++i) {
    int const to = permutation[i];
    if (to < 0 || to >= size || inverse[to] != unseen)
      refuse(fmt::format("mapping: {} to {} (expected a permutation of 0 to {})", i, to, size - 1));
    inverse[to] = i;
  }
  return inverse;
}

} // namespace seam
