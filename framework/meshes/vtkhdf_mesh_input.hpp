/// Reading meshes and their fields from VTKHDF files, on any number of ranks.
///
///     mesh_file const found = read_vtkhdf(comm, "flow.vtkhdf");
///     Mesh const mesh(comm, found.mesh);
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <string>
#include <vector>

namespace seam {

/// The values of a field on cells or vertices in a file.
struct mesh_values {
  std::string name;
  int num_components = 1;
  std::vector<double> values; ///< [cells or vertices][num_components] of this rank
};

/// This rank's share of a file: cells[i] and vertices[i] have row i of the values. A value.
struct mesh_file {
  mesh_input mesh;
  std::vector<mesh_values> on_cells, on_vertices; ///< by name; without ids, tags and ranks
};

/// Reads this rank's share of an unstructured grid: one P-th of its cells, in the order of the
/// file, which all ranks must be able to open.
///
/// Points of several pieces that have the same number in "vertex_ids" are one vertex, with place
/// and values of the first; without that array each point is a vertex, numbered by its row, and a
/// note of the mesh says that its pieces are not joined. Cells
/// are numbered by "cell_ids" or by their rows, and have "tags" or none. Cells of lower dimensions
/// become the boundary if they have a tag. Arrays that are not numeric are left out.
/// @throws usage_error  the file cannot be read, holds no unstructured grid or a cell without
///         straight sides, or its arrays do not fit together: the line names the array and the
///         place in it (the same line on all ranks)
/// Collective: over `over`.
/// Cost: memory of a few times the mesh over P.
mesh_file read_vtkhdf(Communicator const& over, std::string const& path);

} // namespace seam
