/// The ids of a file on a mesh that divided() has numbered anew.
///
///     auto const ids = file_ids(mesh, cells);
///     write(mesh, std::tie(u, ids), "u.vtkhdf"); // sorted by them, u is in the order of the file
#pragma once

#include <seam/mesh/fields/mesh_field.hpp>

namespace seam {

/// The ids that vertices or cells had in the input of the mesh, as a field "file_ids": their own ids
/// unless divided() has numbered them along a curve. A joined vertex has the least id of those that
/// it is. They stay when the mesh migrates; a mesh from a checkpoint or a VTKHDF file has the ids that
/// it was written with.
/// @param of  vertices or cells
/// @throws usage_error  edges or sides that are neither: files do not number these (on all ranks)
/// Collective: over mesh.base().
MeshField<global_id> file_ids(Mesh const& mesh, mesh_part of);

} // namespace seam
