/// Distributed graphs: nodes that are divided over ranks, each with its edges; graphs of meshes.
///
///     distributed_graph const cells = dual_graph(mesh);
///     connection const cut = connection_of(mesh.base(), centers, cells.view(), cells2parts, 8);
#pragma once

#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/partition/quality.hpp>

#include <compare>
#include <span>
#include <vector>

namespace seam {

/// This rank's nodes and their edges, each edge listed from both of its ends. A value.
struct distributed_graph {
  std::vector<global_id> ids;                  ///< [num_nodes()] distinct in the whole graph
  std::vector<std::int64_t> nodes2edges = {0}; ///< [num_nodes() + 1] -> edges
  std::vector<global_id> edges2ids;            ///< the node at the other end, ascending in a row
  std::vector<int> edges2ranks;                ///< the rank of the node at the other end

  local_id num_nodes() const noexcept { return static_cast<local_id>(ids.size()); }

  /// The other ends of a node's edges.
  std::span<global_id const> neighbors(local_id node) const noexcept {
    return std::span(edges2ids).subspan(nodes2edges[node],
                                        nodes2edges[node + 1] - nodes2edges[node]);
  }

  point_graph view() const noexcept { return {nodes2edges, edges2ids}; }
};

namespace detail {

/// An edge from one of its ends, for the rank that has this node.
struct half_edge {
  global_id node, other;
  std::int64_t rank; ///< the rank of `other`

  auto operator<=>(half_edge const&) const = default;
};

/// The graph of own entities that has their edges.
/// @param halves  of own entities; ascending, each once
/// Local.
distributed_graph graph_of(mesh_entities const& of, std::span<half_edge const> halves);

} // namespace detail

/// The graph of the entities of one dimension, with an edge between two that share an entity of
/// dimension `through`: as a part of both if that is smaller, or as their whole if it is larger.
/// Nodes are in the order of own entities. The graph does not depend on ranks or ghost layers.
/// @param dimension, through  0 to mesh.num_dimensions(), not the same
/// @throws usage_error  dimensions are out of range or equal (on all ranks)
/// Collective: over mesh.base().
distributed_graph entity_graph(Mesh const& mesh, int dimension, int through);

/// The graph of cells that share a side, as entity_graph() makes it.
/// Collective: over mesh.base().
inline distributed_graph dual_graph(Mesh const& mesh) {
  return entity_graph(mesh, mesh.num_dimensions(), mesh.num_dimensions() - 1);
}

/// The graph of ranks that have copies of each other's entities; each rank has one node, itself.
/// Collective: over mesh.base(), the first time.
distributed_graph part_graph(Mesh const& mesh);

} // namespace seam
