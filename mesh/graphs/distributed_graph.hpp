/// Distributed graphs: nodes that are divided over ranks, each with its edges; and those of meshes.
///
///     distributed_graph const cells = dual_graph(mesh);
///     connection const cut = connection_of(mesh.base(), centers, cells.view(), cells2parts, 8);
#pragma once

#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/partition/quality.hpp>

namespace seam {

/// This rank's nodes and their edges, each edge from both of its ends. A value.
struct distributed_graph {
  std::vector<global_id> ids;                  ///< [num_nodes()] distinct in the whole graph
  std::vector<std::int64_t> nodes2edges = {0}; ///< [num_nodes() + 1] -> edges
  std::vector<global_id> edges2ids;            ///< the node at the other end, ascending in a row
  std::vector<int> edges2ranks;                ///< the rank that has it

  local_id num_nodes() const noexcept { return static_cast<local_id>(ids.size()); }

  /// The other ends of a node's edges.
  std::span<global_id const> neighbors(local_id node) const noexcept {
    auto const begin = nodes2edges[static_cast<std::size_t>(node)];
    auto const end = nodes2edges[static_cast<std::size_t>(node) + 1];
    return std::span(edges2ids).subspan(std::size_t(begin), std::size_t(end - begin));
  }

  point_graph view() const noexcept { return {nodes2edges, edges2ids}; }
};

/// The graph of the entities of one dimension that share an entity of another one: those who share
/// a smaller one, or who are parts of a larger one. Nodes are in the order of own entities. The
/// graph is the same whatever the ranks and the ghost layers are.
/// @param dimension, through  0 to mesh.num_dimensions(), not the same
/// @throws usage_error  they are not (on all ranks)
/// Collective: over mesh.base().
distributed_graph entity_graph(Mesh const& mesh, int dimension, int through);

/// Cells that share a side. As entity_graph().
inline distributed_graph dual_graph(Mesh const& mesh) {
  return entity_graph(mesh, mesh.num_dimensions(), mesh.num_dimensions() - 1);
}

/// Ranks that have copies of each other's entities; a rank is its own only node. Collective: over
/// mesh.base(), the first time.
distributed_graph part_graph(Mesh const& mesh);

} // namespace seam
