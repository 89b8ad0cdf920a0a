#include <seam/mesh/fluxes/measure.hpp>

#include <seam/mesh/fields/places.hpp>
#include <seam/mesh/shapes/shape_parts.hpp>

#include <cmath>

namespace seam::detail {
namespace {

using namespace detail;

vector3 mean(std::span<vector3 const> all) {
  vector3 sum{};
  for (vector3 const& corner : all)
    sum += corner;
  for (double& coordinate : sum)
    coordinate /= static_cast<double>(all.size());
  return sum;
}

/// The sum of measure_of(a, b) over the edges from a to b around a polygon.
template <class MeasureOf>
double sum_around(std::span<vector3 const> corners, MeasureOf measure_of) {
  double sum = 0;
  for (int k = 0; k < std::ssize(corners); ++k)
    sum += measure_of(corners[k], corners[(k + 1) % corners.size()]);
  return sum;
}

double area(std::span<vector3 const> corners) {
  vector3 const middle = mean(corners);
  return sum_around(corners, [&](vector3 const& a, vector3 const& b) {
    return 0.5 * length(cross(a - middle, b - middle));
  });
}

/// The sum of the volumes of the tetrahedra from the cell's center to the triangles of its faces.
double volume(shape of, std::span<vector3 const> corners) {
  vector3 const center = mean(corners);
  double sum = 0;
  for (shape_part const& face : parts_of(of, 2)) {
    std::array<vector3, 4> around{};
    auto const positions = face.positions();
    for (int k = 0; k < std::ssize(positions); ++k)
      around[k] = corners[positions[k]];
    auto const polygon = std::span<vector3 const>(around).first(positions.size());
    vector3 const middle = mean(polygon);
    sum += sum_around(polygon, [&](vector3 const& a, vector3 const& b) {
      return dot(cross(a - center, b - center), middle - center) / 6;
    });
  }
  return std::abs(sum);
}

} // namespace

double measure(Mesh const& mesh, int dimension, local_id entity) {
  corner_list const all = corners_of(mesh, dimension, entity);
  auto const corners = all.places();
  switch (dimension) {
  case 0: return 1;
  case 1: return length(corners[1] - corners[0]);
  case 2: return area(corners);
  default: return volume(mesh.entities(dimension).shapes[entity], corners);
  }
}

double distance(std::array<double, 3> const& first, std::array<double, 3> const& second) {
  return length(first - second);
}

} // namespace seam::detail
