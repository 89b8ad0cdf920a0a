#include <seam/mesh/entities/mesh_parts.hpp>

#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace seam::detail {
namespace {

/// A side as the cell lists it that is its first one as far as is known.
struct side_view {
  global_id side;
  global_id cell = std::numeric_limits<global_id>::max();
  std::array<global_id, 4> vertices{}; ///< in the order of the cell
};

void take_lower(side_view& known, side_view const& other) {
  if (other.cell < known.cell)
    known = other;
}

/// The view of each local side from the cells that this rank has.
std::vector<side_view> local_views(mesh_parts const& parts) {
  int const d = parts.num_dimensions - 1;
  mesh_entities const& cells = parts.cells();
  std::vector<side_view> views;
  for (global_id const id : parts.entities[d].ids)
    views.push_back({.side = id});
  for (local_id c = 0; c < cells.num_local(); ++c) {
    auto const sides = parts.cells2parts[d][c];
    auto const as_listed = parts_of(cells.shapes[c], d);
    for (int k = 0; k < std::ssize(sides); ++k) {
      side_view seen{.side = views[sides[k]].side, .cell = cells.ids[c]};
      std::ranges::transform(as_listed[k].positions(), seen.vertices.begin(), [&](int position) {
        return parts.entities[0].ids[cells.vertices[c][position]];
      });
      take_lower(views[sides[k]], seen);
    }
  }
  return views;
}

/// Replaces the views of all ranks by those from the first cells of all ranks.
/// Collective: over `over`.
void agree(Communicator const& over, mesh_entities const& sides, std::vector<side_view>& views) {
  auto const own_ids = std::span(sides.ids).first(sides.num_owned);
  auto const place_of = [&](side_view const& view) {
    return std::ranges::lower_bound(own_ids, view.side) - own_ids.begin();
  };
  auto const copies = std::span(std::as_const(views)).subspan(sides.num_owned);
  auto const agreed = ask<side_view>(over, copies, std::span(sides.owners).subspan(sides.num_owned),
                                     [&](received<side_view> const& asked) {
                                       for (side_view const& view : asked.records)
                                         take_lower(views[place_of(view)], view);
                                       std::vector<side_view> answers;
                                       for (side_view const& view : asked.records)
                                         answers.push_back(views[place_of(view)]);
                                       return answers;
                                     });
  std::ranges::copy(agreed, views.begin() + sides.num_owned);
}

/// Brings a side's vertices, and their images, into the order of their ids in `view`.
void reorder(mesh_entities& sides, local_id side, side_view const& view,
             std::span<global_id const> ids) {
  auto const begin = sides.vertices.a2ab[side], end = sides.vertices.a2ab[side + 1];
  auto& vertices = sides.vertices.ab2b;
  for (auto k = begin; k < end; ++k) {
    auto at = k;
    while (ids[vertices[at]] != view.vertices[k - begin])
      ++at;
    std::swap(vertices[k], vertices[at]);
    if (!sides.images.empty())
      std::swap(sides.images[k], sides.images[at]);
  }
}

} // namespace

void see_sides_from_first_cells(Communicator const& over, mesh_parts& parts) {
  mesh_entities& sides = parts.entities[parts.num_dimensions - 1];
  auto views = local_views(parts);
  agree(over, sides, views);
  parts.first_cells.clear();
  for (local_id side = 0; side < sides.num_local(); ++side) {
    reorder(sides, side, views[side], parts.entities[0].ids);
    parts.first_cells.push_back(views[side].cell);
  }
}

} // namespace seam::detail
