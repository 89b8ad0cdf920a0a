/// Names of entities: the id, owner and tag that all ranks that have an entity agree on.
#pragma once

#include <seam/mesh/entities/derive.hpp>

#include <span>
#include <vector>

namespace seam::detail {

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
