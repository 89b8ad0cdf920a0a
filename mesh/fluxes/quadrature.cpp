#include <seam/mesh/fluxes/quadrature.hpp>

#include <seam/mesh/fluxes/measure.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace seam {
using namespace detail;

namespace {

using namespace detail;
using rule = std::vector<quadrature_point>;

/// A point of a line, triangle or tetrahedron by its share of each vertex.
quadrature_point on_simplex(int dimension, std::array<double, 4> const& shares, double weight) {
  quadrature_point point{weight};
  for (int v = 0; v <= dimension; ++v) {
    point.values[v] = shares[v];
    if (v > 0) {
      point.slopes[v][v - 1] = 1;
      point.slopes[0][v - 1] = -1;
    }
  }
  return point;
}

/// As many points as vertices, each near one of them; exact for polynomials of degree 2.
rule simplex(int dimension) {
  double const far = (1 - 1 / std::sqrt(dimension + 2.0)) / (dimension + 1);
  rule points;
  for (int near = 0; near <= dimension; ++near) {
    std::array<double, 4> shares;
    shares.fill(far);
    shares[near] = 1 - dimension * far;
    points.push_back(on_simplex(dimension, shares, 1 / std::tgamma(dimension + 2.0)));
  }
  return points;
}

/// The base extruded along a further axis: its vertices at the lower end, then at the upper end.
rule extruded(rule const& base, int num_vertices, int axis) {
  rule points;
  for (quadrature_point const& low : base)
    for (quadrature_point const& along : simplex(1)) {
      quadrature_point point{low.weight * along.weight};
      for (int v = 0; v < 2 * num_vertices; ++v) {
        int const of_base = v % num_vertices, end = v / num_vertices;
        point.values[v] = low.values[of_base] * along.values[end];
        point.slopes[v] = along.values[end] * low.slopes[of_base];
        point.slopes[v][axis] = low.values[of_base] * along.slopes[end][0];
      }
      points.push_back(point);
    }
  return points;
}

/// The rule of a quadrilateral, with vertices in their order around it.
rule quadrilateral() {
  rule points = extruded(simplex(1), 2, 1);
  for (quadrature_point& point : points) {
    std::swap(point.values[2], point.values[3]);
    std::swap(point.slopes[2], point.slopes[3]);
  }
  return points;
}

/// The rule of a hexahedron whose upper vertices coincide.
rule pyramid() {
  rule points = extruded(quadrilateral(), 4, 2);
  for (quadrature_point& point : points)
    for (int v = 5; v < 8; ++v) {
      point.values[4] += std::exchange(point.values[v], 0);
      point.slopes[4] += std::exchange(point.slopes[v], {});
    }
  return points;
}

std::array<rule, num_shapes> make_rules() {
  return {simplex(0),
          simplex(1),
          simplex(2),
          quadrilateral(),
          simplex(3),
          pyramid(),
          extruded(simplex(2), 3, 2),
          extruded(quadrilateral(), 4, 2)};
}

/// Vectors whose product is 1 with their own axis and 0 with the others; `measure` is that of the
/// parallelepiped of the axes.
struct dual_axes {
  std::array<vector3, 3> vectors{};
  double measure = 1;
  vector3 direction{1, 0, 0};
};

dual_axes dual_of(std::array<vector3, 3> const& axes, int dimension) {
  vector3 const normal = cross(axes[0], axes[1]);
  switch (dimension) {
  case 0: return {};
  case 1: {
    double const size = length(axes[0]);
    return {{1 / (size * size) * axes[0]}, size, axes[0]};
  }
  case 2: {
    double const size = length(normal), scale = 1 / (size * size);
    return {{scale * cross(axes[1], normal), scale * cross(normal, axes[0])}, size, normal};
  }
  default: {
    double const size = dot(normal, axes[2]), scale = 1 / size;
    return {{scale * cross(axes[1], axes[2]), scale * cross(axes[2], axes[0]), scale * normal},
            std::abs(size),
            {size, 0, 0}};
  }
  }
}

} // namespace

std::span<quadrature_point const> quadrature_of(shape of) {
  static std::array<rule, num_shapes> const rules = make_rules();
  return rules[static_cast<int>(of)];
}

mapped_point map_point(quadrature_point const& point, int dimension,
                       std::span<std::array<double, 3> const> corners) {
  mapped_point mapped{corners[0]};
  std::array<vector3, 3> axes{};
  for (int v = 1; v < std::ssize(corners); ++v) {
    vector3 const corner = corners[v] - corners[0];
    mapped.where += point.values[v] * corner;
    for (int a = 0; a < 3; ++a)
      axes[a] += point.slopes[v][a] * corner;
  }
  dual_axes const dual = dual_of(axes, dimension);
  mapped.weight = point.weight * dual.measure;
  mapped.direction = dual.direction;
  for (int v = 0; v < std::ssize(corners); ++v)
    for (int a = 0; a < dimension; ++a)
      mapped.gradients[v] += point.slopes[v][a] * dual.vectors[a];
  return mapped;
}

} // namespace seam
