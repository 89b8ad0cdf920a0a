/// The cost of mapping ranks to places: the volume between the parts of each level of a machine.
///
///     auto const cost = cost_of(graph, cluster, ranks2places);
///     cost.front().sum;                  // J_sum: between nodes
///     cost.front().worst;                // J_max: of the node that sends or receives the most
#pragma once

#include <seam/mapping/detail/weighted_graph.hpp>
#include <seam/mapping/machine.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace seam {

/// The weight of edges between different parts.
struct cut_volume {
  std::int64_t sum = 0;   ///< of all edges
  std::int64_t worst = 0; ///< the largest weight that leaves, or enters, one part

  friend bool operator==(cut_volume const&, cut_volume const&) = default;
  friend auto operator<=>(cut_volume const&, cut_volume const&) = default; ///< the sum decides
};

/// The weight of edges between parts of a graph.
/// @param ranks2parts  [num_ranks], 0, 1, ...
/// Local.
cut_volume volume_between(weighted_graph const& graph, std::span<int const> ranks2parts);

/// Only the sum, at a fraction of the cost; any number above `limit` if the sum is above it.
/// Local.
std::int64_t sum_between(weighted_graph const& graph, std::span<int const> ranks2parts,
                         std::int64_t limit = std::numeric_limits<std::int64_t>::max());

/// The cost on one level of the tree.
struct level_cost {
  std::string level;
  cut_volume volume;

  friend bool operator==(level_cost const&, level_cost const&) = default;
};

/// All levels above that of the places, outermost first; if nodes are the places, their level.
/// @param cluster  must outlive the levels
/// Local.
std::span<machine_level const> levels_with_costs(machine const& cluster);

/// The costs on the levels of levels_with_costs().
using mapping_cost = std::vector<level_cost>;

/// The cost of a mapping on each level.
/// @param ranks2places  [graph.num_ranks()], a permutation of the machine's places
/// @throws usage_error  it is no such permutation
/// Local.
/// Source: arXiv 2005.09521 sec. II (J_sum, J_max).
mapping_cost cost_of(weighted_graph const& graph, machine const& cluster,
                     std::span<int const> ranks2places);

/// True if neither the sum nor the worst part of `a` is greater than that of `b`, on the outermost
/// level where they differ.
bool is_no_worse(mapping_cost const& a, mapping_cost const& b);

/// The permutation that undoes another: places2ranks from ranks2places, or the other way round.
/// @throws usage_error  the list is no permutation
/// Local.
std::vector<int> inverse_permutation(std::span<int const> permutation);

} // namespace seam
