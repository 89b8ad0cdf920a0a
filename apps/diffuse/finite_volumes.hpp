/// Finite volumes for the heat equation: the cells of a mesh, and what flows between them.
#pragma once

#include <seam/mesh/mesh.hpp>

#include <vector>

namespace diffuse {

/// Own cells with their neighbors through sides. What flows from one to the other in a unit of time
/// is the conductance times the difference of temperatures; it is the same, bit by bit, on both.
struct finite_volumes {
  std::vector<double> volumes;      ///< [own cells] length, area or volume
  seam::adjacency cells2neighbors;  ///< [own cells] in the order of the cell's sides
  std::vector<double> conductances; ///< of these neighbors: size of the side over the distance

  /// The longest step of explicit sweeps in which no value leaves the range of those around. The
  /// same on all ranks.
  double longest_step = 0;
};

/// Nothing flows through the boundary. The mesh needs a layer of ghost cells through its sides, as
/// it has by default.
/// @throws usage_error  a cell is flat, or two centers are in the same place (on all ranks)
/// Collective: over mesh.base().
finite_volumes make_finite_volumes(seam::Mesh const& mesh);

} // namespace diffuse
