#include <seam/mesh/shapes/orientation.hpp>

#include <seam/mesh/shapes/shape.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam::detail {
namespace {

double signed_area(std::span<vector3 const> corners) {
  return 0.5 * sum_around(corners, [&](vector3 const& a, vector3 const& b) {
           return cross(a - corners[0], b - corners[0])[2];
         });
}

double signed_measure(shape of, std::span<vector3 const> corners) {
  switch (dimensions_of(of)) {
  case 1: return corners[1][0] - corners[0][0];
  case 2: return signed_area(corners);
  default: return signed_volume(of, corners);
  }
}

/// The largest coordinate of some points, regardless of signs.
double largest_coordinate(std::span<vector3 const> points) {
  double largest = 0;
  for (vector3 const& point : points)
    for (double const coordinate : point)
      largest = std::max(largest, std::abs(coordinate));
  return largest;
}

double diameter(std::span<vector3 const> points) {
  double largest = 0;
  for (vector3 const& point : points)
    largest = std::max(largest, length(point - points[0]));
  return largest;
}

/// A bound of the error of signed_measure() by the rounding of coordinates.
double measure_error(shape of, std::span<vector3 const> corners) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  double const size = diameter(corners);
  double error = rounding * std::max(largest_coordinate(corners), size);
  for (int d = 1; d < dimensions_of(of); ++d)
    error *= size;
  return error;
}

} // namespace

vector3 mean(std::span<vector3 const> points) {
  vector3 sum{};
  for (vector3 const& point : points)
    sum += point;
  for (double& coordinate : sum)
    coordinate /= static_cast<double>(points.size());
  return sum;
}

double signed_volume(shape of, std::span<vector3 const> corners) {
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
  return sum;
}

int orientation_of(shape of, std::span<vector3 const> corners) {
  double const measure = signed_measure(of, corners), error = measure_error(of, corners);
  return measure > error ? 1 : measure < -error ? -1 : 0;
}

} // namespace seam::detail
