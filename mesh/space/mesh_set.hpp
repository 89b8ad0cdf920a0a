/// Sets: the entities of a mesh at which a kernel of steps runs.
///
///     mesh.all(cells)              all of a part
///     mesh.inner(sides)            sides between two cells; other parts that touch no border
///     mesh.border(2)               sides of one cell with a tag, mesh.border("wall"); all, mesh.border()
///     mesh.tagged(cells, 7)        those with a tag
///     mesh.closure("wall")         the vertices, or another part, of the sides of border("wall")
///     mesh.listed(cells, chosen)   a list of this rank's own entities, as each rank has chosen them
#pragma once

#include <seam/mesh/entities/mesh.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace seam {

/// A set of entities of one dimension, the same whatever the ranks: all ranks that have an entity know
/// whether it belongs to it. Immutable. Made by Mesh::inner() and its like.
struct mesh_set {
  Mesh mesh;
  int dimension;
  std::string name;                             ///< "inner sides"
  std::int64_t num_global;                      ///< on all ranks, each once
  std::shared_ptr<std::vector<char> const> has; ///< [num_local()] not 0 in the set; null: all

  bool contains(local_id entity) const { return !has || (*has)[entity] != 0; }
};

} // namespace seam
