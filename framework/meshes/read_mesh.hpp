/// Meshes from files, whose suffix names the format.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <string>

namespace seam {

/// Reads this rank's share of the mesh in a file of Gmsh (.msh) or VTKHDF (.vtkhdf or .hdf). Rank 0
/// prints the notes of the mesh on the standard error stream: what of the file it does not have.
/// @throws usage_error  another suffix; see read_gmsh() and read_vtkhdf() (on all ranks)
/// Collective: over `over`.
mesh_input read_mesh(Communicator const& over, std::string const& path);

} // namespace seam
