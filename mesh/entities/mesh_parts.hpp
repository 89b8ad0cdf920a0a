/// The arrays of a mesh on one rank, and their assembly from the input.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/entities/ghost_layers.hpp>
#include <seam/mesh/entities/mesh_entities.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <array>
#include <string>

namespace seam::detail {

/// The arrays of a mesh; see Mesh for their meaning.
struct mesh_parts {
  int num_dimensions = 0;
  ghost_layers ghosts;
  std::array<mesh_entities, 4> entities; ///< [num_dimensions + 1]
  std::array<adjacency, 3> cells2parts;  ///< [num_dimensions] by the parts' dimension
  std::vector<double> coordinates;       ///< [3 * entities[0].num_local()]
  std::vector<std::array<double, 3>> periods;
  std::vector<mesh_group> groups;
  std::shared_ptr<file_numbers const> numbers;
  std::vector<global_id> first_cells; ///< [local sides] the least id of the cells with each

  mesh_entities const& cells() const { return entities[num_dimensions]; }
};

/// Makes the arrays of a mesh from an input that check_input() has accepted, with vertices joined
/// already (see joined_vertices.hpp). Turned cells are turned
/// over, see overlaps.hpp.
/// @throws usage_error  the input has no coordinates for a vertex of a cell, or no cell for a
///         boundary element; cells overlap (on all ranks)
/// Collective: over `over`.
mesh_parts assemble(Communicator const& over, mesh_input const& input, ghost_layers const& ghosts);

/// The line of Mesh::problem().
/// Collective: over `over`.
std::string find_problem(Communicator const& over, mesh_parts const& parts);

} // namespace seam::detail
