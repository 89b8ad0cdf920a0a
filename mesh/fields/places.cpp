#include <seam/mesh/fields/places.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

void order_around(Mesh const& mesh, std::span<local_id> around) {
  auto const id_of = [&](local_id v) { return mesh.vertices().ids[v]; };
  std::rotate(around.begin(), std::ranges::min_element(around, {}, id_of), around.end());
  if (around.size() > 2 && id_of(around.back()) < id_of(around[1]))
    std::ranges::reverse(around.subspan(1));
}

} // namespace

corner_list corners_of(Mesh const& mesh, int dimension, local_id entity) {
  corner_list corners;
  auto const listed = mesh.entities(dimension).vertices[entity];
  corners.count = static_cast<int>(listed.size());
  std::ranges::copy(listed, corners.ids.begin());
  if (dimension < 3)
    order_around(mesh, std::span(corners.ids).first(corners.count));
  for (int k = 0; k < corners.count; ++k) {
    auto const xyz = mesh.coordinates().subspan(3 * std::int64_t{corners.ids[k]}, 3);
    corners.where[k] = {xyz[0], xyz[1], xyz[2]};
  }
  return corners;
}

} // namespace seam::detail
