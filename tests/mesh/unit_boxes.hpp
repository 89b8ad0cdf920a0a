/// The unit square and cube in cells of all kinds, finer and finer, with tagged ends.
#pragma once

#include <seam/mesh/fluxes/measure.hpp>

#include <mesh/meshes.hpp>

#include <cmath>
#include <functional>

namespace seam::testing {

using place = std::array<double, 3>;

inline place place_of(Mesh const& mesh, local_id vertex) { return mesh.center(0, vertex); }

/// The tag of the end of the unit box that a place is on, as of box_mesh(); 0: it is inside.
inline std::int32_t end_at(place const& where, int num_dimensions) {
  for (int axis = 0; axis < num_dimensions; ++axis)
    for (int high = 0; high < 2; ++high)
      if (std::abs(where[std::size_t(axis)] - high) < 1e-9)
        return 2 * axis + high + 1;
  return 0;
}

/// Moves vertices inside of the box by up to `most` along each axis, at random by their ids.
inline mesh_input distorted(mesh_input from, double most, unsigned seed) {
  for (std::size_t v = 0; v < from.vertex_ids.size(); ++v) {
    place const where{from.coordinates[3 * v], from.coordinates[3 * v + 1],
                      from.coordinates[3 * v + 2]};
    if (end_at(where, from.num_dimensions) != 0)
      continue;
    std::mt19937 random(seed + 7919U * unsigned(from.vertex_ids[v]));
    random.discard(5);
    for (std::size_t a = 0; a < std::size_t(from.num_dimensions); ++a)
      from.coordinates[3 * v + a] += most * (2 * double(random()) / double(random.max()) - 1);
  }
  return from;
}

/// Divides each pyramid whose base is on the border into two tetrahedra.
inline mesh_input with_tetrahedra(mesh_input from, Mesh const& mesh) {
  std::set<global_id> divided;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    if (mesh.cells().shapes[std::size_t(c)] == shape::pyramid)
      for (local_id const side : mesh.adjacent(3, 2)[c])
        if (mesh.sides().shapes[std::size_t(side)] == shape::quadrilateral &&
            mesh.adjacent(2, 3)[side].size() == 1)
          divided.insert(mesh.cells().ids[std::size_t(c)]);
  element_list cells;
  cells.elements2vertices.push_back(0);
  auto const add = [&](std::size_t c, shape what, global_id id, std::vector<int> const& corners) {
    auto const begin = std::size_t(from.cells.elements2vertices[c]);
    for (int const corner : corners)
      cells.vertices.push_back(from.cells.vertices[begin + std::size_t(corner)]);
    cells.elements2vertices.push_back(std::ssize(cells.vertices));
    cells.shapes.push_back(what);
    cells.ids.push_back(id);
    cells.tags.push_back(from.cells.tags[c]);
  };
  for (std::size_t c = 0; c < from.cells.ids.size(); ++c) {
    shape const what = from.cells.shapes[c];
    std::vector<int> all(std::size_t(num_vertices_of(what)));
    std::iota(all.begin(), all.end(), 0);
    if (!divided.contains(from.cells.ids[c])) {
      add(c, what, 2 * from.cells.ids[c], all);
      continue;
    }
    add(c, shape::tetrahedron, 2 * from.cells.ids[c], {0, 1, 2, 4});
    add(c, shape::tetrahedron, 2 * from.cells.ids[c] + 1, {0, 2, 3, 4});
  }
  from.cells = cells;
  return from;
}

/// The same mesh with the tags of end_at() on its border, and cells tagged 1 below and 2 above the
/// middle of the first axis.
inline Mesh with_ends(Mesh const& mesh) {
  mesh_input input = mesh.share();
  int const d = mesh.num_dimensions();
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    input.cells.tags[std::size_t(c)] = mesh.center(d, c)[0] < 0.5 ? 1 : 2;
  input.boundary = {};
  input.boundary.elements2vertices.push_back(0);
  for (local_id side = 0; side < mesh.sides().num_owned; ++side) {
    if (mesh.adjacent(d - 1, d)[side].size() != 1)
      continue;
    auto const corners = corners_of(mesh, d - 1, side);
    input.boundary.vertices.insert(input.boundary.vertices.end(), corners.begin(), corners.end());
    input.boundary.elements2vertices.push_back(std::ssize(input.boundary.vertices));
    input.boundary.shapes.push_back(mesh.sides().shapes[std::size_t(side)]);
    input.boundary.ids.push_back(mesh.sides().ids[std::size_t(side)]);
    input.boundary.tags.push_back(end_at(mesh.center(d - 1, side), d));
  }
  return Mesh(mesh.base(), input);
}

/// Boxes of one kind, n bricks along each axis.
struct box_family {
  std::string name;
  int num_dimensions;
  std::function<mesh_input(Communicator const&, std::int64_t)> make;

  Mesh operator()(Communicator const& over, std::int64_t n) const {
    return with_ends(Mesh(over, make(over, n)));
  }
};

inline box_family plain_boxes(std::string name, shape of, double distortion = 0) {
  return {std::move(name), dimensions_of(of), [=](Communicator const& over, std::int64_t n) {
            return distorted(box_mesh(over, of, {n, n, n}), distortion / double(n), 3);
          }};
}

inline std::vector<box_family> box_families() {
  auto const mixture = [](Communicator const& over, std::int64_t n) {
    mesh_input const made = mixed_mesh(over, {n, n, n});
    return distorted(with_tetrahedra(made, Mesh(over, made)), 0.05 / double(n), 4);
  };
  auto const mixed_square = [](Communicator const& over, std::int64_t n) {
    return distorted(mixed_plane(over, {n, n, 1}), 0.15 / double(n), 5);
  };
  return {plain_boxes("triangles", shape::triangle),
          plain_boxes("triangles, moved at random", shape::triangle, 0.15),
          plain_boxes("quadrilaterals", shape::quadrilateral),
          plain_boxes("quadrilaterals, moved at random", shape::quadrilateral, 0.2),
          {"triangles and quadrilaterals, moved at random", 2, mixed_square},
          plain_boxes("tetrahedra", shape::tetrahedron),
          plain_boxes("tetrahedra, moved at random", shape::tetrahedron, 0.08),
          plain_boxes("prisms", shape::prism),
          plain_boxes("prisms, moved at random", shape::prism, 0.15),
          plain_boxes("pyramids", shape::pyramid),
          plain_boxes("pyramids, moved at random", shape::pyramid, 0.08),
          plain_boxes("hexahedra", shape::hexahedron),
          plain_boxes("hexahedra, moved at random", shape::hexahedron, 0.15),
          {"all four solids, moved at random", 3, mixture}};
}

/// The L2 norm of the difference between a field on vertices and a function: from its values at
/// vertices and at the centers of cells, such that squares of linear functions are exact on
/// simplices. At the center of any shape the field is the mean of the vertices.
template <class Exact>
double l2_error(MeshField<double> const& u, Exact const& exact) {
  Mesh const& mesh = u.mesh();
  int const d = mesh.num_dimensions();
  double sum = 0;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    auto const vertices = mesh.cells().vertices[c];
    double at_vertices = 0, mean = 0;
    for (local_id const v : vertices) {
      at_vertices += std::pow(u(v) - exact(place_of(mesh, v)), 2) / double(vertices.size());
      mean += u(v) / double(vertices.size());
    }
    double const at_center = std::pow(mean - exact(mesh.center(d, c)), 2);
    sum += detail::measure(mesh, d, c) * (at_vertices + (d + 1) * at_center) / (d + 2);
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, mesh.base().context().native());
  return std::sqrt(sum);
}

} // namespace seam::testing
