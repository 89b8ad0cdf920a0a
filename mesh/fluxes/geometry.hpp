/// The geometry of a mesh as fields: sizes, centers and normals.
///
///     auto const volume = volumes(mesh);       // of cells
///     auto const n = normals<2>(mesh);         // of sides, as long as these are
///     for (local_id k = 0; k < sides_of_cell.size(); ++k)
///       sum += outward(mesh, cell, k) * dot(flux, n(sides_of_cell[k]));
///
/// Copies have the same bits as their owners' values.
#pragma once

#include <seam/mesh/fields/mesh_field.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/shapes/bounding_box.hpp>
#include <seam/mesh/shapes/vec.hpp>

#include <array>

namespace seam {

/// The volume of each cell; of polygons the area, of lines the length. [length^num_dimensions]
/// Collective: over mesh.base(), as the other functions here but outward().
MeshField<double> volumes(Mesh const& mesh);

/// The area of each side; of edges the length, of points 1. [length^(num_dimensions - 1)]
MeshField<double> areas(Mesh const& mesh);

/// The mean of the corners of each entity, as Mesh::center(); the cells beside a side of a periodic
/// mesh may lie Mesh::offset() away from it. [length]
/// @tparam N  coordinates that are kept, 1 to 3
template <int N>
MeshField<vec<N>> centers(Mesh const& mesh, mesh_part of);

/// The normal of each side: perpendicular to it, as long as its area, out of mesh.first_cell(side).
/// Of a side in space that is not plane it is the sum over triangles from its center; of surfaces and
/// lines in space it lies in the first cell. [length^(num_dimensions - 1)]
/// @tparam N  coordinates that are kept, num_dimensions to 3
/// @throws usage_error  N is less than the mesh's dimensions (on all ranks)
template <int N>
MeshField<vec<N>> normals(Mesh const& mesh);

/// The vectors to each side's center from the centers of its cells, mesh.adjacent(d - 1, d)[side], also
/// where the mesh is periodic; the second is 0 on the border. [length]
/// @tparam N  coordinates that are kept, 1 to 3
template <int N>
MeshField<std::array<vec<N>, 2>> vectors_to_sides(Mesh const& mesh);

/// 1 if the normal of the cell's side `k`, mesh.adjacent(d, d - 1)[cell][k], points out of the cell,
/// -1 if it points into it.
/// Local.
double outward(Mesh const& mesh, local_id cell, int k);

/// The least box around all cells, the same on all ranks. [length]
bounding_box bounds(Mesh const& mesh);

namespace detail {

/// The normal of a side of which this rank has a cell.
vec<3> normal_of_side(Mesh const& mesh, local_id side);

/// @param what  the vectors, for the line: "normals"
/// @throws usage_error  coordinates are too few for vectors of the mesh (on all ranks)
/// Collective: over mesh.base().
void require_coordinates(Mesh const& mesh, char const* what, int num_coordinates);

template <int N, class Place>
vec<N> leading(Place const& place) {
  vec<N> kept;
  for (int axis = 0; axis < N; ++axis)
    kept[axis] = place[axis];
  return kept;
}

} // namespace detail

template <int N>
MeshField<vec<N>> centers(Mesh const& mesh, mesh_part of) {
  auto center = mesh.field<vec<N>>("center", of);
  for (local_id e = 0; e < center.entities().num_local(); ++e)
    center(e) = detail::leading<N>(mesh.center(center.dimension(), e));
  return center;
}

template <int N>
MeshField<vec<N>> normals(Mesh const& mesh) {
  detail::require_coordinates(mesh, "normals", N);
  auto normal = mesh.field<vec<N>>("normal", mesh_part::sides);
  for (local_id side = 0; side < mesh.sides().num_owned; ++side)
    normal(side) = detail::leading<N>(detail::normal_of_side(mesh, side));
  make_halo(normal).run();
  return normal;
}

template <int N>
MeshField<std::array<vec<N>, 2>> vectors_to_sides(Mesh const& mesh) {
  int const d = mesh.num_dimensions();
  auto vectors = mesh.field<std::array<vec<N>, 2>>("to side", mesh_part::sides);
  for (local_id side = 0; side < mesh.sides().num_owned; ++side)
    for (int k = 0; local_id const cell : mesh.adjacent(d - 1, d)[side])
      vectors(side)[k++] = detail::leading<N>(mesh.center(d - 1, side)) +
                           detail::leading<N>(mesh.offset(cell, d - 1, side)) -
                           detail::leading<N>(mesh.center(d, cell));
  make_halo(vectors).run();
  return vectors;
}

} // namespace seam
