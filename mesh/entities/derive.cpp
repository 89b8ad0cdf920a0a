#include <seam/mesh/entities/derive.hpp>

#include <seam/mesh/shapes/shape_parts.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

using local_key = std::array<local_id, 4>;

/// An entity as a part of one cell.
struct sighting {
  local_key key;
  std::int64_t place; ///< in the cells' list of entities
};

/// The vertices of a part of a cell, in the order of the cell, filled up with -1 to four.
local_key vertices_of_part(shape_part const& part, std::span<local_id const> cell) {
  local_key vertices{-1, -1, -1, -1};
  std::ranges::transform(part.positions(), vertices.begin(),
                         [&](std::uint8_t position) { return cell[position]; });
  return vertices;
}

local_key sorted(local_key vertices, int count) {
  sort_few(std::span(vertices).first(count));
  return vertices;
}

/// Turns a polygon or line so that it leads from its lowest vertex towards its lower neighbor.
void turn_polygon(std::span<local_id> vertices) {
  std::rotate(vertices.begin(), std::ranges::min_element(vertices), vertices.end());
  if (vertices.size() > 2 && vertices[1] > vertices.back())
    std::ranges::reverse(vertices.subspan(1));
}

/// Sorts by key: first into buckets by the lowest vertex, then within each bucket.
std::vector<sighting> sort_by_key(std::vector<sighting> const& all, std::int64_t num_vertices) {
  std::vector<std::int64_t> begins(num_vertices + 1, 0);
  for (sighting const& sighted : all)
    ++begins[sighted.key[0] + 1];
  for (std::int64_t v = 0; v < num_vertices; ++v)
    begins[v + 1] += begins[v];
  std::vector<sighting> placed(all.size());
  auto next = begins;
  for (sighting const& sighted : all)
    placed[next[sighted.key[0]]++] = sighted;
  for (std::int64_t v = 0; v < num_vertices; ++v)
    std::sort(placed.begin() + begins[v], placed.begin() + begins[v + 1],
              [](sighting const& a, sighting const& b) { return a.key < b.key; });
  return placed;
}

/// The cell and its part at a place in the cells' list of entities.
struct place_in_cell {
  local_id cell;
  shape_part const* part;
};

/// Adds the entity that is the part `where` of a cell.
void add_entity(derived_entities& to, place_in_cell const& where, adjacency const& cells2vertices,
                std::span<global_id const> vertex_ids) {
  local_key vertices = vertices_of_part(*where.part, cells2vertices[where.cell]);
  auto const own = std::span(vertices).first(where.part->positions().size());
  turn_polygon(own);
  to.vertices.ab2b.insert(to.vertices.ab2b.end(), own.begin(), own.end());
  to.vertices.end_row();
  to.shapes.push_back(where.part->what);
  std::array<global_id, 4> ids{};
  std::ranges::transform(own, ids.begin(), [&](local_id v) { return vertex_ids[v]; });
  to.keys.push_back(key_of(std::span(ids).first(own.size())));
}

} // namespace

derived_entities derive(std::span<shape const> cells, adjacency const& cells2vertices,
                        std::span<global_id const> vertex_ids, int dimension) {
  derived_entities found;
  std::vector<sighting> seen;
  std::vector<place_in_cell> places;
  for (local_id c = 0; c < cells2vertices.num_rows(); ++c) {
    for (shape_part const& part : parts_of(cells[c], dimension)) {
      local_key const vertices = vertices_of_part(part, cells2vertices[c]);
      seen.push_back({sorted(vertices, num_vertices_of(part.what)), std::ssize(places)});
      places.push_back({c, &part});
    }
    found.cells2entities.a2ab.push_back(std::ssize(places));
  }
  found.cells2entities.ab2b.resize(places.size());
  local_key last{-1, -1, -1, -1};
  for (sighting const& sighted : sort_by_key(seen, std::ssize(vertex_ids))) {
    if (sighted.key != last)
      add_entity(found, places[sighted.place], cells2vertices, vertex_ids);
    last = sighted.key;
    found.cells2entities.ab2b[sighted.place] = static_cast<local_id>(found.shapes.size()) - 1;
  }
  return found;
}

} // namespace seam::detail
