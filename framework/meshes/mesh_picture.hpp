/// Pictures of meshes: PNG files that show the values of cells or vertices.
///
///     write_png(part, "parts.png", {.colors = viridis(), .range = {{0, 63}}});
///
/// A cell has one color; values on vertices are interpolated between them. A mesh of two dimensions
/// in a plane is seen from above, any other from the front, the right and above; of a mesh of
/// volumes the outside is seen. A picture does not depend on the number of ranks.
#pragma once

#include <seam/framework/files/animation.hpp>
#include <seam/framework/files/color_map.hpp>
#include <seam/framework/files/picture.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seam {

/// Options of a picture, the same on all ranks.
struct mesh_picture_options {
  color_map colors = viridis();

  /// Values with the first and the last color. Default: the least and the largest of all values.
  std::optional<std::pair<double, double>> range = {};

  int largest_side = 800; ///< the longer side of the picture, without its scale [pixels]

  /// A bar of the colors with their values, and along a mesh in a plane its coordinates.
  bool with_scale = false;
};

/// Writes a picture of cells, which replaces an older file.
/// @param cells  [mesh.cells().num_owned] a value for each of this rank's own cells
/// @throws usage_error  lengths differ, the mesh has one dimension, the range does not ascend, the
///         side is not from 1 to 8192 pixels, or the file cannot be written (on all ranks)
/// Collective: over mesh.base().
/// Cost: two reductions of the picture, 16 bytes for each pixel.
void write_png(Mesh const& mesh, std::span<double const> cells, std::string const& path,
               mesh_picture_options const& options = {});

namespace detail {

/// Values of own cells, or of all local vertices.
struct drawn_values {
  int dimension; ///< 0 for vertices, or that of cells
  std::span<double const> values;
};

/// Draws a picture on rank 0; other ranks get an empty one. Errors are those of write_png().
/// Collective: over the mesh.
picture draw_mesh(Mesh const& mesh, drawn_values const& shown, mesh_picture_options const& options);

/// The least and the largest value that is shown.
/// Collective: over the mesh.
std::pair<double, double> range_of(Mesh const& mesh, drawn_values const& shown);

void write_mesh_png(Mesh const& mesh, drawn_values const& shown, std::string const& path,
                    mesh_picture_options const& options);

void add_mesh_frame(animation& to, Mesh const& mesh, drawn_values const& shown,
                    mesh_picture_options options);

/// The values of a field that a picture shows: the first number of each.
template <class T>
std::vector<double> numbers_shown(MeshField<T> const& field) {
  local_id const count =
      field.dimension() == 0 ? field.entities().num_local() : field.entities().num_owned;
  std::vector<double> values(count);
  for (local_id e = 0; e < count; ++e)
    if constexpr (requires(T const& value) { static_cast<double>(value); })
      values[e] = static_cast<double>(field(e));
    else
      values[e] = doubles_in(field(e)).front();
  return values;
}

} // namespace detail

/// Writes a picture of a field on cells or vertices; of a vec, or of a struct with component_names, the
/// first number is shown. Copies of vertices are drawn with the values
/// that they have: a halo must have updated them.
/// @throws usage_error  as above; the field is on other entities (on all ranks)
/// Collective: over the mesh.
template <class T>
void write_png(MeshField<T> const& field, std::string const& path,
               mesh_picture_options const& options = {}) {
  auto const values = detail::numbers_shown(field);
  detail::write_mesh_png(field.mesh(), {field.dimension(), values}, path, options);
}

/// Adds a picture of a field to an animation, as write_png() draws it. Without a range of colors it is
/// that of all frames so far, as in animation::add().
/// @throws usage_error  as write_png() and animation::add() (on all ranks)
/// Collective: over the mesh, which has the ranks of the animation.
template <class T>
void add_frame(animation& to, MeshField<T> const& field, mesh_picture_options const& options = {}) {
  auto const values = detail::numbers_shown(field);
  detail::add_mesh_frame(to, field.mesh(), {field.dimension(), values}, options);
}

} // namespace seam
