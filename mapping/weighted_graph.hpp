/// Who sends how much to whom, as all ranks together see it: what mappings are planned for.
///
///     auto const graph = graph_of({{50, 48}, {false, false}, von_neumann(1).expand(2)});
///     graph.num_ranks();                           // 2400
#pragma once

#include <seam/mapping/offset_list.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam {

/// A directed graph with weighted edges. Edges may repeat, and lead back to where they begin.
struct weighted_graph {
  std::vector<int> ranks2edges{0};         ///< [num_ranks + 1], the first edge that leaves each
  std::vector<int> edges2ranks;            ///< [num_edges], where each edge leads
  std::vector<std::int64_t> edges2weights; ///< [num_edges], at least 0

  int num_ranks() const noexcept { return static_cast<int>(ranks2edges.size()) - 1; }
  int num_edges() const noexcept { return static_cast<int>(edges2ranks.size()); }

  friend bool operator==(weighted_graph const&, weighted_graph const&) = default;
};

/// A grid of processes, numbered in row-major order, that all have the same neighborhood.
struct stencil_grid {
  std::vector<int> extent;    ///< [num_dimensions]
  std::vector<bool> periodic; ///< [num_dimensions]
  offset_list offsets;        ///< whom each process sends to, with weights

  int num_dimensions() const noexcept { return static_cast<int>(extent.size()); }
  std::int64_t num_points() const noexcept;

  /// Whether each process receives along the offsets that it sends along, with the same weights.
  bool is_symmetric() const;
};

/// The edges between the points of a grid; those beyond its borders are missing.
/// @throws usage_error  lengths differ, an extent is not positive, or there are 2^31 edges or more
/// Local.
weighted_graph graph_of(stencil_grid const& grid);

/// The part of `graph` between some of its ranks, which are numbered in the order of the list.
/// Local.
weighted_graph subgraph(weighted_graph const& graph, std::span<int const> ranks);

/// Each pair of neighbors as one edge both ways, with the sum of the weights between them; no edges
/// from a rank to itself, and none without weight. Edges are in increasing order. Local.
weighted_graph symmetrized(weighted_graph const& graph);

} // namespace seam
