/// Pictures of meshes: PNG files that show what each cell or each vertex holds.
///
///     write_png(part, "parts.png", {.colors = viridis(), .range = {{0, 63}}});
///
/// A cell has one color, the color of values on vertices changes between these. A mesh of two
/// dimensions in a plane is seen from above, any other from the front, the right and
/// above; of a mesh of volumes its outside is seen. A picture does not depend on the number of
/// ranks.
#pragma once

#include <seam/framework/files/color_map.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seam {

/// How cells become a picture. The same on all ranks.
struct mesh_picture_options {
  color_map colors = viridis();

  /// Numbers with the first and the last color. Default: the least and the largest of all values.
  std::optional<std::pair<double, double>> range = {};

  int largest_side = 800; ///< the longer side of the picture [pixels]
};

/// Writes a picture that replaces an older file; nothing is drawn beside the mesh.
/// @param cells  a value for each of this rank's own cells [mesh.cells().num_owned]
/// @throws usage_error  lengths differ, the mesh has one dimension, the range does not ascend, the
///         side is not from 1 to 8192 pixels, or the file cannot be written (on all ranks)
/// Collective: over mesh.base().   Cost: two reductions of the picture, 16 bytes for each pixel.
void write_png(Mesh const& mesh, std::span<double const> cells, std::string const& path,
               mesh_picture_options const& options = {});

namespace detail {

/// Values of own cells, or of all local vertices.
struct drawn_values {
  int dimension; ///< 0 of vertices, or that of cells
  std::span<double const> values;
};

void write_mesh_png(Mesh const& mesh, drawn_values const& shown, std::string const& path,
                    mesh_picture_options const& options);

} // namespace detail

/// The same for a field on cells or vertices. Of vertices the copies are drawn as they are: a halo
/// brings them up to date before.
/// @throws usage_error  as above; it is on other entities (on all ranks)
template <class T>
void write_png(MeshField<T> const& field, std::string const& path,
               mesh_picture_options const& options = {}) {
  static_assert(
      requires(T const& value) { static_cast<double>(value); }, "pictures show fields of numbers");
  auto const count = static_cast<std::size_t>(field.dimension() == 0 ? field.entities().num_local()
                                                                     : field.entities().num_owned);
  std::vector<double> values(count);
  for (std::size_t e = 0; e < count; ++e)
    values[e] = static_cast<double>(field(static_cast<local_id>(e)));
  detail::write_mesh_png(field.mesh(), {field.dimension(), values}, path, options);
}

} // namespace seam
