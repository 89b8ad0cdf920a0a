#include <seam/mesh/entities/mesh_parts.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/shapes/orientation.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace seam::detail {
namespace {

/// Whether cells fill the space of the first `num_dimensions` axes: all vertices of all ranks have
/// the same coordinates along the others.
/// Collective: over `over`.
bool fills_space(Communicator const& over, int num_dimensions, std::span<double const> places) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 4> extremes; // of y and z; the least ones with their signs reversed
  extremes.fill(-infinity);
  for (std::int64_t v = 0; v < std::ssize(places) / 3; ++v)
    for (int axis = 1; axis < 3; ++axis) {
      double const coordinate = places[3 * v + axis];
      extremes[axis - 1] = std::max(extremes[axis - 1], coordinate);
      extremes[axis + 1] = std::max(extremes[axis + 1], -coordinate);
    }
  mpi::allreduce(over.context(), std::span<double>(extremes), MPI_MAX);
  for (int axis = std::max(num_dimensions, 1); axis < 3; ++axis)
    if (extremes[axis - 1] > -extremes[axis + 1])
      return false;
  return true;
}

int orientation_in(std::span<double const> places, std::span<vector3 const> periods,
                   mesh_entities const& cells, local_id cell) {
  std::array<vector3, 8> corners{};
  auto const vertices = cells.vertices[cell];
  for (int k = 0; k < std::ssize(vertices); ++k) {
    std::copy_n(&places[3 * std::int64_t{vertices[k]}], 3, corners[k].begin());
    if (!periods.empty())
      corners[k] += translation_of(cells.images[cells.vertices.a2ab[cell] + k], periods);
  }
  return orientation_of(cells.shapes[cell],
                        std::span<vector3 const>(corners).first(vertices.size()));
}

/// 1 or -1 if `listed` goes around an entity's vertices in their direction or against it; 0 if their
/// order is another.
int direction_around(std::span<local_id const> listed, std::span<local_id const> entity) {
  auto const count = listed.size();
  auto const first =
      static_cast<std::size_t>(std::ranges::find(listed, entity[0]) - listed.begin());
  if (count == 2)
    return first == 0 ? 1 : -1;
  if (listed[(first + 1) % count] == entity[1])
    return 1;
  return listed[(first + count - 1) % count] == entity[1] ? -1 : 0;
}

/// A cell at one of its sides.
struct side_of_cell {
  entity_key side;
  std::array<global_id, 8> corners; ///< of the cell, ascending, filled up with -1
  global_id cell;
  std::int64_t lies; ///< on which side of it: 1 or -1; 0: unknown
};

[[noreturn]] void refuse_same_vertices(side_of_cell const& a, side_of_cell const& b) {
  refuse(fmt::format("mesh: cells {} and {} have the same vertices (expected each cell once)",
                     a.cell, b.cell));
}

[[noreturn]] void refuse_overlap(side_of_cell const& a, side_of_cell const& b) {
  refuse(fmt::format("mesh: cells {} and {} overlap: they lie on the same side of what they share "
                     "at vertex {} (expected one cell on each side of it)",
                     a.cell, b.cell, a.side[0]));
}

/// Checks the cells at one side, which may change places.
void check_cells_at_side(std::span<side_of_cell> cells) {
  if (cells.size() < 2)
    return;
  std::ranges::sort(cells, {},
                    [](side_of_cell const& at) { return std::pair(at.corners, at.cell); });
  auto const same = std::ranges::adjacent_find(cells, {}, &side_of_cell::corners);
  if (same != cells.end())
    refuse_same_vertices(same[0], same[1]);
  std::ranges::sort(cells, {}, [](side_of_cell const& at) { return std::pair(at.lies, at.cell); });
  auto const alike = std::ranges::adjacent_find(cells, [](auto const& one, auto const& next) {
    return one.lies != 0 && one.lies == next.lies;
  });
  if (alike != cells.end())
    refuse_overlap(alike[0], alike[1]);
}

/// The sides of a rank's cells, and the cells at each.
class cell_sides {
public:
  /// @param orientations  [cells] 1, -1 or 0, all 0 if cells do not fill space
  cell_sides(mesh_parts const& of, std::span<int const> orientations)
      : of_(of),
        orientations_(orientations),
        sides2cells_(invert(of.cells2parts[of.num_dimensions - 1], sides().num_local())) {}

  mesh_entities const& sides() const { return of_.entities[of_.num_dimensions - 1]; }

  /// Appends the local cells at a side, or only the own ones.
  void add_cells(std::vector<side_of_cell>& to, local_id side, bool only_own) const {
    for (local_id const cell : sides2cells_[side])
      if (!only_own || of_.cells().is_owned(cell))
        to.push_back({.side = sorted_ids<4>(sides().vertices[side]),
                      .corners = sorted_ids<8>(of_.cells().vertices[cell]),
                      .cell = of_.cells().ids[cell],
                      .lies = orientations_[cell] * side_of_turned(cell, side)});
  }

private:
  template <std::size_t N>
  std::array<global_id, N> sorted_ids(std::span<local_id const> vertices) const {
    std::array<global_id, N> ids;
    ids.fill(-1);
    std::ranges::transform(vertices, ids.begin(),
                           [&](local_id v) { return of_.entities[0].ids[v]; });
    sort_few(std::span(ids).first(vertices.size()));
    return ids;
  }

  /// On which side of `side` the cell lies if its orientation is 1.
  int side_of_turned(local_id cell, local_id side) const {
    auto const sides_of_cell = of_.cells2parts[sides().dimension][cell];
    auto const number = std::ranges::find(sides_of_cell, side) - sides_of_cell.begin();
    if (sides().dimension == 0)
      return number == 0 ? 1 : -1;
    std::array<local_id, 4> listed{};
    auto const positions =
        parts_of(of_.cells().shapes[cell], sides().dimension)[number].positions();
    std::ranges::transform(positions, listed.begin(),
                           [&](int position) { return of_.cells().vertices[cell][position]; });
    return direction_around(std::span<local_id const>(listed).first(positions.size()),
                            sides().vertices[side]);
  }

  mesh_parts const& of_;
  std::span<int const> orientations_;
  adjacency sides2cells_;
};

/// Checks the cells at each side as far as this rank has them.
void check_local_sides(cell_sides const& all) {
  std::vector<side_of_cell> at_side;
  for (local_id side = 0; side < all.sides().num_local(); ++side) {
    at_side.clear();
    all.add_cells(at_side, side, false);
    check_cells_at_side(at_side);
  }
}

/// Own cells at sides that other ranks have, too.
std::vector<side_of_cell> cells_at_shared_sides(cell_sides const& all) {
  std::vector<local_id> shared = all.sides().copies.ranks2entities.ab2b;
  keep_distinct(shared);
  for (local_id side = all.sides().num_owned; side < all.sides().num_local(); ++side)
    shared.push_back(side);
  std::vector<side_of_cell> own;
  for (local_id const side : shared)
    all.add_cells(own, side, true);
  return own;
}

/// Checks sides whose cells belong to several ranks, at the home of their lowest vertex.
/// Collective: over `over`.
void check_shared_sides(Communicator const& over, cell_sides const& all) {
  auto const own = cells_at_shared_sides(all);
  std::vector<int> homes;
  for (side_of_cell const& at : own)
    homes.push_back(static_cast<int>(at.side[0] % over.size()));
  auto met = send_records<side_of_cell>(over, own, homes).records;
  collectively(over.context(), [&] {
    std::ranges::sort(met, {}, [](side_of_cell const& at) { return std::pair(at.side, at.cell); });
    for (auto begin = met.begin(); begin != met.end();) {
      auto const end = std::find_if(begin, met.end(),
                                    [&](side_of_cell const& at) { return at.side != begin->side; });
      check_cells_at_side({begin, end});
      begin = end;
    }
  });
}

/// 1, -1 or 0 for each cell, all 0 if cells do not fill space. [cells]
/// Collective: over `over`.
std::vector<int> orientations_of(Communicator const& over, mesh_entities const& cells,
                                 std::span<double const> places, std::span<vector3 const> periods) {
  std::vector<int> found(cells.ids.size(), 0);
  if (fills_space(over, cells.dimension, places))
    for (local_id c = 0; c < cells.num_local(); ++c)
      found[c] = orientation_in(places, periods, cells, c);
  return found;
}

} // namespace

void turn_cells(Communicator const& over, mesh_entities& cells, std::span<double const> places,
                std::span<vector3 const> periods) {
  auto const orientations = orientations_of(over, cells, places, periods);
  for (local_id c = 0; c < cells.num_local(); ++c)
    if (orientations[c] < 0) {
      auto const row = cells.vertices.a2ab[c];
      turn_over<local_id>(cells.shapes[c], std::span(cells.vertices.ab2b).subspan(row));
      if (!cells.images.empty())
        turn_over<vertex_image>(cells.shapes[c], std::span(cells.images).subspan(row));
    }
}

void check_overlaps(Communicator const& over, mesh_parts const& parts) {
  mesh_entities const& cells = parts.cells();
  auto const orientations = orientations_of(over, cells, parts.coordinates, parts.periods);
  cell_sides const sides(parts, orientations);
  collectively(over.context(), [&] {
    for (local_id c = 0; c < cells.num_local(); ++c)
      if (orientations[c] < 0)
        refuse(fmt::format("mesh: cell {} is turned inside out", cells.ids[c]));
    check_local_sides(sides);
  });
  check_shared_sides(over, sides);
}

} // namespace seam::detail
