#include <seam/mesh/fluxes/measure.hpp>

#include <seam/mesh/shapes/orientation.hpp>

#include <algorithm>
#include <cmath>
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

namespace {

using namespace detail;

double area(std::span<vector3 const> corners) {
  vector3 const middle = mean(corners);
  return sum_around(corners, [&](vector3 const& a, vector3 const& b) {
    return 0.5 * length(cross(a - middle, b - middle));
  });
}

} // namespace

double measure(Mesh const& mesh, int dimension, local_id entity) {
  corner_list const all = corners_of(mesh, dimension, entity);
  auto const corners = all.places();
  switch (dimension) {
  case 0: return 1;
  case 1: return length(corners[1] - corners[0]);
  case 2: return area(corners);
  default: return std::abs(signed_volume(mesh.entities(dimension).shapes[entity], corners));
  }
}

double distance(std::array<double, 3> const& first, std::array<double, 3> const& second) {
  return length(first - second);
}

} // namespace seam::detail
