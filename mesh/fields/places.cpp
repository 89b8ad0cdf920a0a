#include <seam/mesh/fields/places.hpp>

#include <algorithm>
#include <numeric>

namespace seam::detail {
namespace {

/// Orders positions in a list of vertices.
void order_around(std::span<int> around, std::span<local_id const> listed,
                  std::span<global_id const> ids) {
  auto const id_of = [&](int k) { return ids[listed[k]]; };
  std::rotate(around.begin(), std::ranges::min_element(around, {}, id_of), around.end());
  if (around.size() > 2 && id_of(around.back()) < id_of(around[1]))
    std::ranges::reverse(around.subspan(1));
}

} // namespace

corner_list corners_of(Mesh const& mesh, int dimension, local_id entity) {
  corner_list corners;
  auto const listed = mesh.entities(dimension).vertices[entity];
  corners.count = static_cast<int>(listed.size());
  std::array<int, 8> order{};
  std::iota(order.begin(), order.end(), 0);
  if (dimension < 3)
    order_around(std::span(order).first(corners.count), listed, mesh.vertices().ids);
  for (int k = 0; k < corners.count; ++k) {
    corners.ids[k] = listed[order[k]];
    corners.where[k] = mesh.corner(dimension, entity, order[k]);
  }
  return corners;
}

} // namespace seam::detail
