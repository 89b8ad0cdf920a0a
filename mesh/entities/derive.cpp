#include <seam/mesh/entities/derive.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <fmt/format.h>

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

/// A vertex of an entity, and which image of it.
struct corner {
  local_id vertex;
  vertex_image image;

  friend auto operator<=>(corner const&, corner const&) = default;
};

/// Turns a polygon or line so that it leads from its lowest vertex towards its lower neighbor.
void turn_polygon(std::span<corner> corners) {
  auto const lowest = std::ranges::min_element(corners, {}, &corner::vertex);
  std::rotate(corners.begin(), lowest, corners.end());
  if (corners.size() > 2 && corners[1].vertex > corners.back().vertex)
    std::ranges::reverse(corners.subspan(1));
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

/// The corners of a cell's part, in the order of the cell.
struct corners_of_part {
  std::array<corner, 4> all{};
  std::size_t count = 0;

  corners_of_part(mesh_entities const& cells, place_in_cell const& where) {
    for (auto const position : where.part->positions()) {
      auto const at = cells.vertices.a2ab[where.cell] + position;
      all[count++] = {cells.vertices.ab2b[at],
                      cells.images.empty() ? vertex_image{} : cells.images[at]};
    }
  }
  std::span<corner> own() { return std::span(all).first(count); }
};

image_key image_key_of(corners_of_part corners) {
  sort_few(corners.own());
  image_key key{};
  for (std::size_t k = 0; k < corners.count; ++k)
    key[k] = corners.all[k].image - corners.all[0].image;
  return key;
}

/// Adds the entity that is the part `where` of a cell.
void add_entity(derived_entities& to, place_in_cell const& where, mesh_entities const& cells,
                std::span<global_id const> vertex_ids) {
  corners_of_part corners(cells, where);
  std::array<global_id, 4> ids{};
  turn_polygon(corners.own());
  for (std::size_t k = 0; k < corners.count; ++k) {
    to.vertices.ab2b.push_back(corners.all[k].vertex);
    ids[k] = vertex_ids[corners.all[k].vertex];
    if (!cells.images.empty())
      to.images.push_back(corners.all[k].image - corners.all[0].image);
  }
  to.vertices.end_row();
  to.shapes.push_back(where.part->what);
  to.keys.push_back(key_of(std::span(ids).first(corners.count)));
  if (!cells.images.empty())
    to.image_keys.push_back(image_key_of(corners));
}

} // namespace

void refuse_images(int dimension, entity_key const& key) {
  refuse(fmt::format("mesh: two {} between vertices {} and {} when vertices are joined (expected "
                     "periods of at least three cells)",
                     dimension == 1 ? "edges" : "faces", key[0], key[1]));
}

derived_entities derive(mesh_entities const& cells, std::span<global_id const> vertex_ids,
                        int dimension) {
  derived_entities found;
  std::vector<sighting> seen;
  std::vector<place_in_cell> places;
  for (local_id c = 0; c < cells.num_local(); ++c) {
    for (shape_part const& part : parts_of(cells.shapes[c], dimension)) {
      local_key const vertices = vertices_of_part(part, cells.vertices[c]);
      seen.push_back({sorted(vertices, num_vertices_of(part.what)), std::ssize(places)});
      places.push_back({c, &part});
    }
    found.cells2entities.a2ab.push_back(std::ssize(places));
  }
  found.cells2entities.ab2b.resize(places.size());
  local_key last{-1, -1, -1, -1};
  for (sighting const& sighted : sort_by_key(seen, std::ssize(vertex_ids))) {
    place_in_cell const& where = places[sighted.place];
    if (sighted.key != last)
      add_entity(found, where, cells, vertex_ids);
    else if (!found.image_keys.empty() &&
             image_key_of(corners_of_part(cells, where)) != found.image_keys.back())
      refuse_images(dimension, found.keys.back());
    last = sighted.key;
    found.cells2entities.ab2b[sighted.place] = static_cast<local_id>(found.shapes.size()) - 1;
  }
  return found;
}

} // namespace seam::detail
