/// What a mesh consists of on one rank, and how it is put together.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/entities/ghost_layers.hpp>
#include <seam/mesh/entities/mesh_entities.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <array>
#include <string>

namespace seam::detail {

/// Plain arrays; see Mesh for what they mean.
struct mesh_parts {
  int num_dimensions = 0;
  ghost_layers ghosts;
  std::array<mesh_entities, 4> entities; ///< [num_dimensions + 1]
  std::array<adjacency, 3> cells2parts;  ///< [num_dimensions] by the parts' dimension
  std::vector<double> coordinates;       ///< [3 * entities[0].num_local()]

  mesh_entities const& cells() const { return entities[static_cast<std::size_t>(num_dimensions)]; }
};

/// Throws usage_error if the input has no place for a vertex of a cell, or no cell for a boundary
/// element (on all ranks); else it has been checked. Collective: over `over`.
mesh_parts assemble(Communicator const& over, mesh_input const& input, ghost_layers const& ghosts);

/// What Mesh::problem() says. Collective: over `over`.
std::string find_problem(Communicator const& over, mesh_parts const& parts);

} // namespace seam::detail
