/// Meshes and their fields in checkpoints: cells, vertices, their numbering and tags, in arrays named
/// "mesh.cells", "mesh.vertices" and so on.
///
///     save(mesh.base(), "run.h5", mesh, u);
///     ...
///     Mesh mesh = load_mesh(runtime, "run.h5");
///     mesh = mesh.migrated(partition(mesh, runtime.size(), partition_method::rib));
///     MeshField<double> u(mesh, "u", 0);
///     load(mesh.base(), "run.h5", u);
#pragma once

#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/checkpoint/detail/stored_array.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <memory>

namespace seam {

namespace detail {

/// The arrays of a mesh.
/// Collective: over the mesh.
void append_stored(std::vector<stored_array>& to, Mesh const& mesh);

template <class T>
void append_stored(std::vector<stored_array>& to, MeshField<T> const& field) {
  check_touch(field.name());
  to.push_back(stored_mesh_field(field.shared(), element_format_of<T>()));
}

} // namespace detail

/// The mesh of the newest checkpoint that is whole, with the ids and tags that it had. Each rank owns
/// as many cells as others, consecutive by their ids: partition() finds better parts.
/// @throws usage_error  as load(), and if the file has no mesh (on all ranks)
/// Collective: over `over`.
Mesh load_mesh(Communicator const& over, checkpoint_place const& place, ghost_layers ghosts = {});

} // namespace seam

namespace seam::detail {

/// A field on a mesh, by ascending ids: [entities][components].
/// Collective: over the mesh.
stored_array stored_mesh_field(std::shared_ptr<mesh_field_state> const& field,
                               element_format element);

} // namespace seam::detail
