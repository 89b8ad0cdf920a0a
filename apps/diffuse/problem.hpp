/// The heat equation on a mesh with the conditions of the command line.
#pragma once

#include "options.hpp"

#include <seam/diffusion.hpp>

namespace diffuse {

/// The parts of the problem that do not change in time.
struct problem {
  seam::mesh_fluxes fluxes;
  seam::vertex_borders borders;
};

/// Computes fluxes and conditions of the mesh's vertices.
/// @throws usage_error  an option names a tag that no cell or side has (on all ranks)
/// Collective: over the mesh.
problem pose_problem(seam::Mesh const& mesh, options const& wanted);

/// Sets own vertices to a hot spot in the middle of the box around the mesh, a tenth of it wide,
/// and vertices with a given value to that. Collective: over the mesh.
void fill_hot_spot(seam::MeshField<double>& u, seam::MeshField<double> const& given);

} // namespace diffuse
