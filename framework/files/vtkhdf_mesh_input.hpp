/// Reading meshes and what is on them from VTKHDF files, on any number of ranks.
///
///     mesh_file const found = read_vtkhdf(comm, "flow.vtkhdf");
///     Mesh const mesh(comm, found.mesh);
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <string>
#include <vector>

namespace seam {

/// Numbers that a file has for each cell or each vertex.
struct mesh_values {
  std::string name;
  int num_components = 1;
  std::vector<double> values; ///< [cells or vertices][num_components] of this rank
};

/// What a file holds, this rank's share of it: cells[i] and vertices[i] have values row i. A value.
struct mesh_file {
  mesh_input mesh;
  std::vector<mesh_values> on_cells, on_vertices; ///< by name; without ids, tags and ranks
};

/// This rank's share of an unstructured grid: one P-th of its cells, in the order of the file.
///
/// Points of several pieces that have the same number in "vertex_ids" are one vertex, whose place
/// and values are those of the first; without that array each point is a vertex, numbered as they
/// are in the file. Cells are numbered by "cell_ids" or as they are in the file, and have "tags" or
/// none. Cells of lower dimensions become the boundary if they have a tag. What is no number is
/// left out.
/// @throws usage_error  the file cannot be read, holds something else than one unstructured grid
///         with straight sides, or does not fit together: the line names the array and the place in
///         it (the same line on all ranks)
/// Collective: over `over`. Memory: a few times the mesh over P. The file is to be seen by all
/// ranks.
mesh_file read_vtkhdf(Communicator const& over, std::string const& path);

} // namespace seam
