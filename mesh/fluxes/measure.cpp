#include <seam/mesh/fluxes/measure.hpp>

#include <seam/mesh/fields/places.hpp>
#include <seam/mesh/shapes/orientation.hpp>

#include <cmath>

namespace seam::detail {
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
