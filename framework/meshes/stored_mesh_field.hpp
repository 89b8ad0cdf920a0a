/// Fields on meshes as stored arrays.
#pragma once

#include <seam/framework/checkpoint/detail/stored_array.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <memory>

namespace seam::detail {

/// A field on a mesh, by ascending ids: [entities][components].
/// Collective: over the mesh.
stored_array stored_mesh_field(std::shared_ptr<mesh_field_state> const& field,
                               element_format element);

} // namespace seam::detail
