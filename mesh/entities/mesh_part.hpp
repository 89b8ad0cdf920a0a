/// The parts of a mesh by name, whatever its dimension.
///
///     auto const q = mesh.field<double>("q", seam::cells); // of lines, polygons or solids
#pragma once

namespace seam {

/// The parts of a mesh.
enum class mesh_part {
  vertices, ///< of dimension 0
  edges,    ///< of dimension 1
  faces,    ///< of dimension 2
  sides,    ///< of one dimension less than the cells: edges in the plane, faces in space
  cells     ///< of the mesh's own dimension
};

using enum mesh_part;

} // namespace seam
