#include <seam/mesh/measure.hpp>

#include <seam/mesh/shape_parts.hpp>

#include <algorithm>
#include <cmath>

namespace seam {
namespace {

using place = std::array<double, 3>;

place operator-(place const& a, place const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

place cross(place const& a, place const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(place const& a, place const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double length(place const& a) { return std::sqrt(dot(a, a)); }

place mean(std::span<place const> all) {
  place sum{};
  for (place const& one : all)
    for (std::size_t axis = 0; axis < 3; ++axis)
      sum[axis] += one[axis];
  for (double& one : sum)
    one /= static_cast<double>(all.size());
  return sum;
}

/// The sum of measure_of(a, b) over the edges from a to b around a polygon.
template <class MeasureOf>
double sum_around(std::span<place const> corners, MeasureOf measure_of) {
  double sum = 0;
  for (std::size_t k = 0; k < corners.size(); ++k)
    sum += measure_of(corners[k], corners[(k + 1) % corners.size()]);
  return sum;
}

double area(std::span<place const> corners) {
  place const middle = mean(corners);
  return sum_around(corners, [&](place const& a, place const& b) {
    return 0.5 * length(cross(a - middle, b - middle));
  });
}

/// The sum of the tetrahedra from the cell's center to the triangles of its faces.
double volume(shape of, std::span<place const> corners) {
  place const center = mean(corners);
  double sum = 0;
  for (shape_part const& face : parts_of(of, 2)) {
    std::array<place, 4> around{};
    auto const positions = face.positions();
    for (std::size_t k = 0; k < positions.size(); ++k)
      around[k] = corners[positions[k]];
    auto const polygon = std::span<place const>(around).first(positions.size());
    place const middle = mean(polygon);
    sum += sum_around(polygon, [&](place const& a, place const& b) {
      return dot(cross(a - center, b - center), middle - center) / 6;
    });
  }
  return std::abs(sum);
}

/// The vertices around a line or polygon from the one with the least id on, toward the lesser of
/// those beside it: ranks list them from different ones on, and in both directions.
void order_around(Mesh const& mesh, std::span<local_id> around) {
  auto const id_of = [&](local_id v) { return mesh.vertices().ids[static_cast<std::size_t>(v)]; };
  std::ranges::rotate(around, std::ranges::min_element(around, {}, id_of));
  if (around.size() > 2 && id_of(around.back()) < id_of(around[1]))
    std::ranges::reverse(around.subspan(1));
}

} // namespace

double measure(Mesh const& mesh, int dimension, local_id entity) {
  std::array<local_id, 8> all{};
  std::array<place, 8> places{};
  auto const listed = mesh.entities(dimension).vertices[entity];
  auto const vertices = std::span(all).first(listed.size());
  std::ranges::copy(listed, vertices.begin());
  if (dimension < 3)
    order_around(mesh, vertices);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    auto const xyz = mesh.coordinates().subspan(3 * static_cast<std::size_t>(vertices[k]), 3);
    places[k] = {xyz[0], xyz[1], xyz[2]};
  }
  auto const corners = std::span<place const>(places).first(vertices.size());
  switch (dimension) {
  case 0: return 1;
  case 1: return length(corners[1] - corners[0]);
  case 2: return area(corners);
  default:
    return volume(mesh.entities(dimension).shapes[static_cast<std::size_t>(entity)], corners);
  }
}

double distance(std::array<double, 3> const& one, std::array<double, 3> const& other) {
  return length(one - other);
}

} // namespace seam
