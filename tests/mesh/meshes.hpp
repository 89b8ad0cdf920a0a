/// Meshes for tests.
#pragma once

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/input/box_mesh.hpp>

#include <support/world.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace seam::testing {

/// A communicator of this rank alone. Collective over all ranks.
inline Communicator alone() {
  mpi::comm_view const all(MPI_COMM_WORLD);
  return Communicator::from_native(mpi::split(all, all.rank(), 0).release());
}

/// Adds the cells of `from` that come of wanted bricks.
template <class IsWanted>
void take_bricks(mesh_input& to, mesh_input const& from, global_id cells_of_brick, int kind,
                 IsWanted is_wanted) {
  element_list& cells = to.cells;
  for (std::size_t c = 0; c < from.cells.ids.size(); ++c) {
    auto const brick = from.cells.ids[c] / cells_of_brick,
               part = from.cells.ids[c] % cells_of_brick;
    if (!is_wanted(brick))
      continue;
    if (cells.elements2vertices.empty())
      cells.elements2vertices.push_back(0);
    for (auto v = from.cells.elements2vertices[c]; v < from.cells.elements2vertices[c + 1]; ++v)
      cells.vertices.push_back(from.cells.vertices[std::size_t(v)]);
    cells.elements2vertices.push_back(std::ssize(cells.vertices));
    cells.shapes.push_back(from.cells.shapes[c]);
    cells.tags.push_back(kind);
    cells.ids.push_back(100 * brick + 10 * kind + part);
  }
}

/// Hexahedra, pyramids and prisms that fit together.
inline mesh_input mixed_mesh(Communicator const& over, std::array<std::int64_t, 3> bricks) {
  auto const kind_of = [&](global_id brick) {
    auto const i = brick % bricks[0], j = brick / bricks[0] % bricks[1],
               k = brick / (bricks[0] * bricks[1]);
    return (i + j) % 2 == 0 ? 2 : static_cast<int>((i + j + k) % 2);
  };
  auto const is_of = [&](int kind) {
    return [=](global_id brick) { return kind_of(brick) == kind; };
  };
  mesh_input made = box_mesh(over, shape::pyramid, bricks);
  mesh_input const pyramids = made;
  made.cells = {};
  made.boundary = {};
  take_bricks(made, box_mesh(over, shape::hexahedron, bricks), 1, 0, is_of(0));
  take_bricks(made, pyramids, 6, 1, is_of(1));
  take_bricks(made, box_mesh(over, shape::prism, bricks), 2, 2, is_of(2));
  return made;
}

/// Quadrilaterals and triangles in turn.
inline mesh_input mixed_plane(Communicator const& over, std::array<std::int64_t, 3> bricks) {
  auto const is_odd = [&](global_id brick) {
    return (brick % bricks[0] + brick / bricks[0]) % 2 != 0;
  };
  mesh_input made = box_mesh(over, shape::quadrilateral, bricks);
  mesh_input const quadrilaterals = made;
  made.cells = {};
  take_bricks(made, quadrilaterals, 1, 0, is_odd);
  take_bricks(made, box_mesh(over, shape::triangle, bricks), 2, 1,
              [&](global_id brick) { return !is_odd(brick); });
  return made;
}

/// One of several small meshes of all kinds.
inline constexpr int num_kinds = 9;
inline mesh_input mesh_of_kind(Communicator const& over, int kind) {
  switch (kind) {
  case 0: return box_mesh(over, shape::line, {7, 1, 1});
  case 1: return box_mesh(over, shape::triangle, {4, 3, 1});
  case 2: return box_mesh(over, shape::quadrilateral, {5, 3, 1});
  case 3: return box_mesh(over, shape::tetrahedron, {2, 3, 2});
  case 4: return box_mesh(over, shape::hexahedron, {3, 2, 4});
  case 5: return box_mesh(over, shape::prism, {2, 3, 2});
  case 6: return box_mesh(over, shape::pyramid, {2, 1, 2});
  case 7: return mixed_plane(over, {4, 4, 1});
  default: return mixed_mesh(over, {3, 3, 3});
  }
}

/// A rank for each own cell, at random, drawn from the first `num_ranks`.
inline std::vector<int> random_ranks(Mesh const& mesh, int num_ranks, unsigned seed) {
  std::vector<int> ranks;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    std::mt19937 random(seed + 7919U * unsigned(mesh.cells().ids[std::size_t(c)]));
    random.discard(3);
    ranks.push_back(int(random() % unsigned(num_ranks)));
  }
  return ranks;
}

/// The mesh with each cell on a rank at random.
inline Mesh scattered(Mesh const& mesh, unsigned seed) {
  return mesh.migrated(random_ranks(mesh, mesh.base().size(), seed));
}

/// Global ids of an entity's vertices, as listed.
inline std::vector<global_id> corners_of(Mesh const& mesh, int dimension, local_id entity) {
  std::vector<global_id> ids;
  for (local_id const v : mesh.entities(dimension).vertices[entity])
    ids.push_back(mesh.vertices().ids[std::size_t(v)]);
  return ids;
}

/// What an entity is, whatever rank it is on.
struct description {
  std::vector<global_id> vertices;
  shape what;
  std::int32_t tag;
  std::array<double, 3> center;

  friend bool operator==(description const&, description const&) = default;
};

inline std::map<global_id, description> describe(Mesh const& mesh, int dimension) {
  std::map<global_id, description> all;
  mesh_entities const& of = mesh.entities(dimension);
  for (local_id e = 0; e < of.num_local(); ++e)
    all[of.ids[std::size_t(e)]] = {corners_of(mesh, dimension, e), of.shapes[std::size_t(e)],
                                   of.tags[std::size_t(e)], mesh.center(dimension, e)};
  return all;
}

/// Whether every entity of `part` is one of `whole`, and the same there.
inline bool is_part_of(Mesh const& part, Mesh const& whole) {
  for (int d = 0; d <= part.num_dimensions(); ++d) {
    auto const all = describe(whole, d);
    for (auto const& [id, what] : describe(part, d))
      if (!all.contains(id) || !(all.at(id) == what))
        return false;
  }
  return true;
}

} // namespace seam::testing
