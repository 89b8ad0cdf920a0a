#include <seam/mesh/input/box_mesh.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/free_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace seam {
using namespace detail;

namespace {

using lattice_index = std::array<std::int64_t, 3>;

/// The vertex in the middle of a brick, behind its eight corners.
constexpr int middle = 8;

/// The cells of a brick as lists of its corners, which are in the order of a hexahedron's vertices.
std::vector<std::vector<int>> cells_of_brick(shape of) {
  switch (of) {
  case shape::line: return {{0, 1}};
  case shape::quadrilateral: return {{0, 1, 2, 3}};
  case shape::triangle: return {{0, 1, 2}, {0, 2, 3}};
  case shape::prism: return {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
  case shape::tetrahedron: // around the diagonal from corner 0 to 6
    return {{0, 1, 2, 6}, {0, 5, 1, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 4, 5, 6}, {0, 7, 4, 6}};
  case shape::pyramid: {
    std::vector<std::vector<int>> cells;
    for (shape_part const& face : parts_of(shape::hexahedron, 2)) {
      cells.emplace_back(face.vertices.rbegin(), face.vertices.rend());
      cells.back().push_back(middle);
    }
    return cells;
  }
  default: return {{0, 1, 2, 3, 4, 5, 6, 7}};
  }
}

/// Bricks and their corners, counted along the first axis first.
class lattice {
public:
  lattice(shape of, lattice_index bricks) : num_dimensions_(dimensions_of(of)), bricks_(bricks) {
    for (int axis = num_dimensions_; axis < 3; ++axis)
      bricks_[axis] = 1;
  }

  int num_dimensions() const { return num_dimensions_; }
  std::int64_t num_bricks() const { return bricks_[0] * bricks_[1] * bricks_[2]; }
  std::int64_t num_corners() const { return corners(0) * corners(1) * corners(2); }

  /// The id of a corner of a brick, or of its middle.
  global_id vertex(std::int64_t brick, int corner) const {
    if (corner == middle)
      return num_corners() + brick;
    lattice_index at = brick_at(brick);
    at[0] += corner % 4 == 1 || corner % 4 == 2 ? 1 : 0;
    at[1] += corner % 4 >= 2 ? 1 : 0;
    at[2] += corner >= 4 ? 1 : 0;
    return at[0] + corners(0) * (at[1] + corners(1) * at[2]);
  }

  /// The place of a vertex in a box of these lengths. [length]
  std::array<double, 3> place(global_id vertex, std::array<double, 3> const& lengths) const {
    bool const is_corner = vertex < num_corners();
    auto const at = is_corner ? corner_at(vertex) : brick_at(vertex - num_corners());
    double const shift = is_corner ? 0 : 0.5;
    std::array<double, 3> place{};
    for (int axis = 0; axis < num_dimensions_; ++axis)
      place[axis] = (double(at[axis]) + shift) * lengths[axis] / double(bricks_[axis]);
    return place;
  }

  /// The tag of the end of the box that all vertices lie on, 0 if there is none.
  std::int32_t end_of(std::span<global_id const> vertices) const {
    for (int axis = 0; axis < num_dimensions_; ++axis)
      for (int high = 0; high < 2; ++high)
        if (std::ranges::all_of(vertices, [&](global_id v) {
              return v < num_corners() && corner_at(v)[axis] == (high == 1 ? bricks_[axis] : 0);
            }))
          return 2 * axis + high + 1;
    return 0;
  }

private:
  std::int64_t corners(int axis) const { return axis < num_dimensions_ ? bricks_[axis] + 1 : 1; }
  lattice_index brick_at(std::int64_t brick) const {
    return {brick % bricks_[0], brick / bricks_[0] % bricks_[1], brick / (bricks_[0] * bricks_[1])};
  }
  lattice_index corner_at(global_id vertex) const {
    return {vertex % corners(0), vertex / corners(0) % corners(1),
            vertex / (corners(0) * corners(1))};
  }

  int num_dimensions_;
  lattice_index bricks_;
};

/// The share of the numbers 0 to count - 1 that belongs to a rank.
struct share_of_range {
  share_of_range(std::int64_t count, int rank, int size)
      : begin(count / size * rank + std::min<std::int64_t>(rank, count % size)),
        end(begin + count / size + (rank < count % size ? 1 : 0)) {}

  std::int64_t begin, end;
};

/// Adds the sides of the last cell that lie on an end of the box.
void add_ends(mesh_input& to, lattice const& bricks) {
  local_id const cell = to.cells.num_elements() - 1;
  auto const vertices = detail::vertices_of(to.cells, cell);
  auto const sides = parts_of(to.cells.shapes[cell], bricks.num_dimensions() - 1);
  std::vector<global_id> corners;
  for (int k = 0; k < std::ssize(sides); ++k) {
    corners.clear();
    for (auto const position : sides[k].positions())
      corners.push_back(vertices[position]);
    if (auto const tag = bricks.end_of(corners); tag != 0) {
      auto const id = to.cells.ids[cell] * std::ssize(sides) + k;
      detail::append(to.boundary, sides[k].what, id, tag, corners);
    }
  }
}

void check(shape of, lattice_index const& bricks) {
  if (of == shape::point)
    refuse("box mesh: cells that are points (expected another shape)");
  for (int axis = 0; axis < dimensions_of(of); ++axis)
    if (bricks[axis] < 1)
      refuse(fmt::format("box mesh: {} bricks along axis {} (expected at least 1)", bricks[axis],
                         axis));
}

/// The bytes of a rank's share, as a double, which overflows for no count.
double bytes_of_share(Communicator const& over, shape of, lattice_index const& bricks) {
  double num_bricks = 1;
  for (int axis = 0; axis < dimensions_of(of); ++axis)
    num_bricks *= static_cast<double>(bricks[axis]);
  double const of_cell = 8.0 * num_vertices_of(of) + sizeof(shape) + sizeof(global_id) +
                         sizeof(std::int32_t) + sizeof(std::int64_t);
  double const of_vertex = sizeof(global_id) + 3 * sizeof(double);
  auto const cells = static_cast<double>(cells_of_brick(of).size());
  return std::ceil(num_bricks / over.size()) * (cells * of_cell + of_vertex);
}

/// Adds the cells of a rank's bricks, and their sides at the ends of the box.
void add_cells(mesh_input& to, shape of, lattice const& bricks, share_of_range const& own) {
  auto const cells = cells_of_brick(of);
  std::vector<global_id> vertices;
  for (std::int64_t brick = own.begin; brick < own.end; ++brick)
    for (int k = 0; k < std::ssize(cells); ++k) {
      vertices.clear();
      for (int const corner : cells[k])
        vertices.push_back(bricks.vertex(brick, corner));
      detail::append(to.cells, of, brick * std::ssize(cells) + k, 0, vertices);
      add_ends(to, bricks);
    }
}

/// Adds a rank's vertices.
void add_vertices(mesh_input& to, lattice const& bricks, share_of_range const& own,
                  std::array<double, 3> const& lengths) {
  for (global_id vertex = own.begin; vertex < own.end; ++vertex) {
    auto const place = bricks.place(vertex, lengths);
    to.vertex_ids.push_back(vertex);
    to.coordinates.insert(to.coordinates.end(), place.begin(), place.end());
  }
}

} // namespace

mesh_input box_mesh(Communicator const& over, shape of, std::array<std::int64_t, 3> bricks,
                    std::array<double, 3> lengths) {
  detail::call_scope const here("box_mesh");
  collectively(over.context(), [&] { check(of, bricks); });
  require_memory(over.context(), bytes_of_share(over, of, bricks), "box mesh");
  lattice const all(of, bricks);
  mesh_input made;
  made.num_dimensions = all.num_dimensions();
  for (int end = 0; end < 2 * made.num_dimensions; ++end)
    made.groups.push_back({made.num_dimensions - 1, end + 1,
                           fmt::format("{}{}", "xyz"[end / 2], end % 2 == 0 ? '0' : '1')});
  add_cells(made, of, all, {all.num_bricks(), over.rank(), over.size()});
  std::int64_t const num_middles = of == shape::pyramid ? all.num_bricks() : 0;
  add_vertices(made, all, {all.num_corners() + num_middles, over.rank(), over.size()}, lengths);
  return made;
}

} // namespace seam
