/// The heat equation on a mesh as the command line asks for it.
#pragma once

#include "options.hpp"

#include <seam/framework/solve/mesh_diffusion.hpp>

namespace diffuse {

/// What does not change in time.
struct problem {
  seam::mesh_fluxes fluxes;
  seam::vertex_borders borders;
};

/// @throws usage_error  no cell or side has a tag that a number is given for (on all ranks)
/// Collective: over the mesh.
problem pose_problem(seam::Mesh const& mesh, options const& wanted);

/// A hot spot in the middle of the box around the mesh, a tenth of it wide; vertices that have one
/// get their given value. Own vertices. Collective: over the mesh.
void fill_hot_spot(seam::MeshField<double>& u, seam::MeshField<double> const& given);

} // namespace diffuse
