/// Derivation of vertices, edges and faces, each once, from the cells' lists of vertices.
#pragma once

#include <seam/mesh/entities/adjacency.hpp>
#include <seam/mesh/input/elements.hpp>

namespace seam::detail {

/// Entities of one dimension in the lexicographic order of their keys.
struct derived_entities {
  std::vector<shape> shapes;    ///< [number of entities]
  adjacency vertices;           ///< of each, in an order that does not depend on the cell
  adjacency cells2entities;     ///< in the order of parts_of()
  std::vector<entity_key> keys; ///< [number of entities]
};

/// Derives the entities of `dimension`, which is less than that of the cells.
///
/// An edge leads from the lower to the higher vertex id; the vertices of a face begin with the
/// lowest id and go around the face towards the lower one of its two neighbors.
/// @param cells2vertices  positions in vertex_ids
/// @param vertex_ids      ascending
/// Local.
derived_entities derive(std::span<shape const> cells, adjacency const& cells2vertices,
                        std::span<global_id const> vertex_ids, int dimension);

} // namespace seam::detail
