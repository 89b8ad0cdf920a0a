#include <seam/mesh/fields/for_each.hpp>

#include <seam/exchange/ground/error.hpp>

namespace seam {
namespace {

template <class IsWanted>
std::vector<local_id> own_entities(mesh_entities const& of, IsWanted is_wanted) {
  std::vector<local_id> found;
  for (local_id e = 0; e < of.num_owned; ++e)
    if (is_wanted(e))
      found.push_back(e);
  return found;
}

adjacency const& cells_at_sides(Mesh const& mesh) {
  if (mesh.ghosts().depth < 1)
    refuse("sides: the mesh has no ghost layer (expected at least 1, by which a rank sees the "
           "cells beyond its own sides)");
  return mesh.adjacent(mesh.num_dimensions() - 1, mesh.num_dimensions());
}

} // namespace

std::vector<local_id> tagged(Mesh const& mesh, mesh_part of, std::int32_t tag) {
  mesh_entities const& all = mesh.entities(mesh.dimension_of(of));
  return own_entities(all, [&](local_id e) { return all.tags[e] == tag; });
}

std::vector<local_id> border_sides(Mesh const& mesh) {
  adjacency const& sides2cells = cells_at_sides(mesh);
  return own_entities(mesh.sides(), [&](local_id side) { return sides2cells[side].size() == 1; });
}

std::vector<local_id> border_sides(Mesh const& mesh, std::int32_t tag) {
  auto found = border_sides(mesh);
  std::erase_if(found, [&](local_id side) { return mesh.sides().tags[side] != tag; });
  return found;
}

std::vector<local_id> inner_sides(Mesh const& mesh) {
  adjacency const& sides2cells = cells_at_sides(mesh);
  return own_entities(mesh.sides(), [&](local_id side) { return sides2cells[side].size() > 1; });
}

} // namespace seam
