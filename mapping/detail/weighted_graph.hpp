/// The graph of all ranks' edges with the volume that each carries: the input of rank mappings.
///
///     auto const graph = graph_of({{50, 48}, {false, false}, von_neumann(1).expand(2)});
///     graph.num_ranks();                           // 2400
#pragma once

#include <seam/mapping/detail/offset_list.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam {

/// A directed graph with weighted edges. Edges may repeat, and may lead from a rank to itself.
struct weighted_graph {
  std::vector<int> ranks2edges{0};         ///< [num_ranks + 1], the first edge that leaves each
  std::vector<int> edges2ranks;            ///< [num_edges], the rank at the end of each edge
  std::vector<std::int64_t> edges2weights; ///< [num_edges], at least 0

  int num_ranks() const noexcept { return std::ssize(ranks2edges) - 1; }
  int num_edges() const noexcept { return std::ssize(edges2ranks); }

  friend bool operator==(weighted_graph const&, weighted_graph const&) = default;
};

/// A grid of processes, numbered in row-major order, that all have the same neighborhood.
struct stencil_grid {
  std::vector<int> extent;    ///< [num_dimensions]
  std::vector<bool> periodic; ///< [num_dimensions]
  offset_list offsets;        ///< along which each process sends, with weights

  int num_dimensions() const noexcept { return std::ssize(extent); }
  std::int64_t num_points() const noexcept;

  /// Whether the opposite of each offset is an offset too, with the same weight.
  bool is_symmetric() const;
};

/// The edges between the points of a grid; edges beyond its borders are left out.
/// @throws usage_error  lengths differ, an extent is not positive, or there are 2^31 edges or more
/// Local.
weighted_graph graph_of(stencil_grid const& grid);

/// The part of `graph` between some of its ranks, which are numbered in the order of the list.
/// Local.
weighted_graph subgraph(weighted_graph const& graph, std::span<int const> ranks);

/// The graph with an edge each way between neighbors, both with the sum of the weights between
/// them; without edges from a rank to itself and edges of weight 0. Edges are in increasing order.
/// Local.
weighted_graph symmetrized(weighted_graph const& graph);

} // namespace seam
