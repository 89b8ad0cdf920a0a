/// Entities of a mesh: the vertices, edges, faces or cells that a rank has.
#pragma once

#include <seam/mesh/entities/adjacency.hpp>
#include <seam/mesh/shapes/shape.hpp>
#include <seam/mesh/shapes/vertex_image.hpp>

#include <vector>

namespace seam {

/// The ranks that have copies of this rank's own entities, and these entities.
struct remote_copies {
  std::vector<int> ranks;   ///< ascending, never this one
  adjacency ranks2entities; ///< [ranks.size()] rows of own entities, by ascending id

  friend bool operator==(remote_copies const&, remote_copies const&) = default;
};

/// The entities of one dimension that a rank has: its own by ascending id, then copies of other
/// ranks' entities, by ascending owner and id.
///
///     0 ... num_owned - 1 | copies of rank 0's | copies of rank 2's ... num_local() - 1
struct mesh_entities {
  int dimension = 0;
  std::int64_t num_global = 0; ///< on all ranks, each once
  local_id num_owned = 0;
  std::vector<global_id> ids;     ///< [num_local()]
  std::vector<int> owners;        ///< [num_local()]
  std::vector<shape> shapes;      ///< [num_local()]
  std::vector<std::int32_t> tags; ///< [num_local()] 0: none
  adjacency vertices; ///< [num_local()] rows of local vertices, as the shape lists them;
                      ///< of sides in the order of their first cell
  std::vector<vertex_image> images; ///< of periodic meshes: [vertices.ab2b.size()] images of the
                                    ///< vertices; but for cells 0 at the vertex of least id
  remote_copies copies;             ///< of own entities on other ranks

  local_id num_local() const noexcept { return static_cast<local_id>(ids.size()); }
  local_id num_copies() const noexcept { return num_local() - num_owned; }
  bool is_owned(local_id entity) const noexcept { return entity < num_owned; }
};

/// The cells of other ranks that a rank keeps copies of: the first layer are those that share an entity
/// of dimension `through` with an own cell, each further layer those that share one with the layer before.
///
///     through vertices           through sides            o: own cell
///       2 2 2 2 2                    . 2 .                1: first layer
///       2 1 1 1 2                  . 2 1 2 .              2: second layer
///       2 1 o 1 2                    1 o 1 2
///       2 1 1 1 2                  . 2 1 2 .
struct ghost_layers {
  int depth = 1;   ///< 0: no ghost cells; copies of vertices, edges and faces remain
  int through = 0; ///< 0: vertices, 1: edges, 2: faces; less than the cells' dimension

  friend bool operator==(ghost_layers const&, ghost_layers const&) = default;
};

/// The parts of a mesh by name, whatever its dimension.
///
///     auto const q = mesh.field<double>("q", seam::cells); // of lines, polygons or solids
enum class mesh_part {
  vertices, ///< of dimension 0
  edges,    ///< of dimension 1
  faces,    ///< of dimension 2
  sides,    ///< of one dimension less than the cells: edges in the plane, faces in space
  cells     ///< of the mesh's own dimension
};

using enum mesh_part;

} // namespace seam
