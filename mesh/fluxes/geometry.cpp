#include <seam/mesh/fluxes/geometry.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/fluxes/measure.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace seam {
namespace {

/// The sum of the areas, as vectors, of triangles between the edges of a polygon and its center.
vec<3> area_vector(std::span<vec<3> const> corners) {
  vec<3> middle;
  for (vec<3> const& corner : corners)
    middle += corner / static_cast<double>(corners.size());
  vec<3> sum;
  for (int k = 0; k < std::ssize(corners); ++k)
    sum += 0.5 * cross(corners[k] - middle, corners[(k + 1) % corners.size()] - middle);
  return sum;
}

std::vector<vec<3>> corners_in_order(Mesh const& mesh, int dimension, local_id entity) {
  std::vector<vec<3>> corners(mesh.entities(dimension).vertices[entity].size());
  for (int k = 0; k < std::ssize(corners); ++k)
    corners[k] = detail::leading<3>(mesh.corner(dimension, entity, k));
  return corners;
}

/// The normal of an edge out of a polygon, in the polygon's plane.
vec<3> normal_in_plane(vec<3> const& along, vec<3> const& area) {
  if (area[0] == 0 && area[1] == 0)
    return std::copysign(1, area[2]) * vec<3>{along[1], -along[0], 0};
  return cross(along, area) / length(area);
}

/// The normal out of a cell of one or two dimensions through its part `k`.
vec<3> normal_out_of(Mesh const& mesh, local_id cell, int k) {
  int const d = mesh.num_dimensions();
  auto const corners = corners_in_order(mesh, d, cell);
  auto const positions = parts_of(mesh.cells().shapes[cell], d - 1)[k].positions();
  if (d == 2)
    return normal_in_plane(corners[positions[1]] - corners[positions[0]], area_vector(corners));
  vec<3> const along = corners[positions[0]] - corners[1 - positions[0]];
  return along / length(along);
}

MeshField<double> measures(Mesh const& mesh, char const* name, mesh_part of) {
  auto sizes = mesh.field<double>(name, of);
  for (local_id e = 0; e < sizes.entities().num_local(); ++e)
    sizes(e) = detail::measure(mesh, sizes.dimension(), e);
  return sizes;
}

} // namespace

MeshField<double> volumes(Mesh const& mesh) { return measures(mesh, "volume", mesh_part::cells); }
MeshField<double> areas(Mesh const& mesh) { return measures(mesh, "area", mesh_part::sides); }

double outward(Mesh const& mesh, local_id cell, int k) {
  int const d = mesh.num_dimensions();
  local_id const side = mesh.adjacent(d, d - 1)[cell][k];
  return mesh.first_cell(side) == mesh.cells().ids[cell] ? 1 : -1;
}

bounding_box bounds(Mesh const& mesh) {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  std::array<double, 6> most;
  most.fill(nothing);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    for (vec<3> const& at : corners_in_order(mesh, mesh.num_dimensions(), c))
      for (int axis = 0; axis < 3; ++axis) {
        most[axis] = std::max(most[axis], at[axis]);
        most[axis + 3] = std::max(most[axis + 3], -at[axis]);
      }
  mpi::allreduce(mesh.base().context(), std::span<double>(most), MPI_MAX);
  return {{-most[3], -most[4], -most[5]}, {most[0], most[1], most[2]}};
}

vec<3> detail::normal_of_side(Mesh const& mesh, local_id side) {
  int const d = mesh.num_dimensions();
  if (d == 3)
    return area_vector(corners_in_order(mesh, 2, side));
  local_id const cell = mesh.adjacent(d - 1, d)[side].front();
  auto const around = mesh.adjacent(d, d - 1)[cell];
  auto const k = static_cast<int>(std::ranges::find(around, side) - around.begin());
  return outward(mesh, cell, k) * normal_out_of(mesh, cell, k);
}

void detail::require_coordinates(Mesh const& mesh, char const* what, int num_coordinates) {
  collectively(mesh.base().context(), [&] {
    if (num_coordinates < mesh.num_dimensions())
      refuse(fmt::format("{}: {} coordinates (expected at least {}, as many as the mesh has "
                         "dimensions)",
                         what, num_coordinates, mesh.num_dimensions()));
  });
}

} // namespace seam
