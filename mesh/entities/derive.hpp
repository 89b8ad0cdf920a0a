/// Derivation of vertices, edges and faces, each once, from the cells' lists of vertices.
#pragma once

#include <seam/mesh/entities/mesh_entities.hpp>
#include <seam/mesh/input/elements.hpp>

#include <span>
#include <vector>

namespace seam::detail {

/// The images of an entity's vertices, by ascending vertex and relative to the first: the same from
/// all cells that have it. Filled up with 0 to four.
using image_key = std::array<vertex_image, 4>;

/// Entities of one dimension in the lexicographic order of their keys.
struct derived_entities {
  std::vector<shape> shapes;         ///< [number of entities]
  adjacency vertices;                ///< of each, in an order that does not depend on the cell
  adjacency cells2entities;          ///< in the order of parts_of()
  std::vector<entity_key> keys;      ///< [number of entities]
  std::vector<vertex_image> images;  ///< of their vertices; empty if cells have none
  std::vector<image_key> image_keys; ///< [number of entities], or empty
};

/// Derives the entities of `dimension`, which is less than that of the cells.
///
/// An edge leads from the lower to the higher vertex id; the vertices of a face begin with the
/// lowest id and go around the face towards the lower one of its two neighbors.
/// @param cells       with vertices as positions in vertex_ids
/// @param vertex_ids  ascending
/// @throws usage_error  a cell has two entities with the same vertices, or two cells do, that are
///                      images of each other
/// Local.
derived_entities derive(mesh_entities const& cells, std::span<global_id const> vertex_ids,
                        int dimension);

/// Refuses entities that differ only by their images, such as the two edges between the vertices 0
/// and 1 of a ring of two cells.
[[noreturn]] void refuse_images(int dimension, entity_key const& key);

/// The name of an entity, the same on all ranks.
struct entity_name {
  global_id id = 0;
  int owner = 0;
  std::int32_t tag = 0;
};

/// Finds the names of some entities of one dimension, which is less than that of the cells.
///
/// The id of an edge or face is its place in the lexicographic order of all keys, which does not
/// depend on ranks; a vertex keeps its id. The owner is the lowest rank that owns a cell with the
/// entity.
/// @param entities       of this rank's cells
/// @param is_of_owned    [number of entities] not 0: a cell of this rank has the entity
/// @param tagged         elements whose tags the entities get, given by any rank; elements of other
///                       dimensions are left out
/// @param largest_vertex the largest vertex id of all ranks
/// @param is_periodic    an entity that is joined from two may have two tags: that of the element of
///                       least id counts
/// @throws usage_error  a tagged element is part of no cell, or has two tags; entities differ only
///                      by their images (on all ranks)
/// Collective: over `over`.
std::vector<entity_name> agree_on_names(Communicator const& over, int dimension,
                                        derived_entities const& entities,
                                        std::span<char const> is_of_owned,
                                        element_list const& tagged, global_id largest_vertex,
                                        bool is_periodic);

} // namespace seam::detail
