/// Mesh input: vertices and elements from a file or a generator, divided over ranks in any way. A
/// Mesh is made of the inputs of all ranks:
///
///     mesh_input square;                               // two triangles, on one rank
///     square.num_dimensions = 2;
///     square.vertex_ids = {0, 1, 2, 3};
///     square.coordinates = {0, 0, 0,  1, 0, 0,  0, 1, 0,  1, 1, 0};
///     square.cells = {.shapes = {shape::triangle, shape::triangle},
///                     .elements2vertices = {0, 3, 6},
///                     .vertices = {0, 1, 2, 1, 3, 2},
///                     .ids = {0, 1},
///                     .tags = {0, 0}};
#pragma once

#include <seam/exchange/numbering/ids.hpp>
#include <seam/mesh/shapes/shape.hpp>
#include <seam/mesh/shapes/vertex_image.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace seam {

/// Elements of one rank, as rows of global vertex ids.
struct element_list {
  std::vector<shape> shapes;                   ///< [num_elements()]
  std::vector<std::int64_t> elements2vertices; ///< [num_elements() + 1] -> vertices; empty: none
  std::vector<global_id> vertices;             ///< in the order of the shape
  std::vector<global_id> ids;                  ///< [num_elements()] distinct in the whole list
  std::vector<std::int32_t> tags;              ///< [num_elements()] region or boundary, 0: none
  std::vector<vertex_image> images{}; ///< of cells: [vertices.size()] in meshes with periods

  local_id num_elements() const noexcept { return static_cast<local_id>(ids.size()); }
};

/// The name of a tag: "wall" for the sides with tag 3.
struct mesh_group {
  int dimension = 0; ///< of its entities
  std::int32_t tag = 0;
  std::string name;

  friend bool operator==(mesh_group const&, mesh_group const&) = default;
};

/// Two vertices that are one in a periodic mesh.
struct joined_vertices {
  global_id vertex, other;
};

namespace detail {
struct file_numbers;
}

/// This rank's share of a mesh: each vertex and each element is given by exactly one rank. A value.
struct mesh_input {
  int num_dimensions = 0;            ///< of the cells, 1 to 3; the same on all ranks
  std::vector<global_id> vertex_ids; ///< [number of own vertices] distinct in the whole mesh
  std::vector<double> coordinates;   ///< [3 * number of own vertices] x, y, z of each; length
  element_list cells;                ///< of num_dimensions
  element_list boundary;             ///< tagged elements of fewer dimensions: sides, edges, corners
  std::vector<std::string> notes{};  ///< lines on what a file has and this has not; on all ranks
  std::vector<mesh_group> groups{};  ///< names of tags, the same on all ranks
  std::vector<joined_vertices> joined{}; ///< of any rank, once or often; see identify()

  /// Translations by which the mesh repeats itself, of which cells.images are multiples: at most 3,
  /// the same on all ranks. A Mesh finds them from `joined`. [length]
  std::vector<std::array<double, 3>> periods{};

  /// The ids that a file has for vertices and cells that divided() has numbered anew; see file_ids().
  std::shared_ptr<detail::file_numbers const> file_numbers{};
};

} // namespace seam
