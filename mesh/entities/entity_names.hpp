/// Names of entities: the id, owner and tag that all ranks that have an entity agree on.
#pragma once

#include <seam/mesh/input/elements.hpp>

#include <span>
#include <vector>

namespace seam::detail {

/// What all ranks call an entity.
struct entity_name {
  global_id id = 0;
  int owner = 0;
  std::int32_t tag = 0;
};

/// The names of some entities of one dimension, less than that of the cells.
///
/// An edge or face gets its place in the lexicographic order of all keys as id, which does not
/// depend on ranks; a vertex keeps its own. The owner is the lowest rank that owns a cell with it.
/// @param keys           [number of entities] distinct
/// @param is_of_owned    [number of entities] not 0: a cell of this rank has it
/// @param tagged         elements whose tags become the entities', given by any rank; those of
///                       other dimensions are left out
/// @param largest_vertex the largest vertex id of all ranks
/// @throws usage_error  no cell has a tagged element, or it is given two tags (on all ranks)
/// Collective: over `over`.
std::vector<entity_name> agree_on_names(Communicator const& over, int dimension,
                                        std::span<entity_key const> keys,
                                        std::span<char const> is_of_owned,
                                        element_list const& tagged, global_id largest_vertex);

} // namespace seam::detail
