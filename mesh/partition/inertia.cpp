#include <seam/mesh/partition/segments.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace seam::detail {
namespace {

using symmetric = std::array<std::array<double, 3>, 3>;

symmetric covariance(moments const& sums) {
  std::array<double, num_moments> mean{};
  for (int m = 1; m < num_moments; ++m)
    mean[m] = static_cast<double>(sums[m]) / static_cast<double>(sums[0]);
  auto const entry = [&](int product, int a, int b) {
    return mean[product] - mean[1 + a] * mean[1 + b];
  };
  double const xy = entry(7, 0, 1), xz = entry(8, 0, 2), yz = entry(9, 1, 2);
  return {{{entry(4, 0, 0), xy, xz}, {xy, entry(5, 1, 1), yz}, {xz, yz, entry(6, 2, 2)}}};
}

/// Makes a[p][q] zero by a rotation, and applies the rotation to `vectors` too.
void rotate(symmetric& a, symmetric& vectors, int p, int q) {
  if (a[p][q] == 0)
    return;
  double const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  double const t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  double const c = 1 / std::sqrt(t * t + 1), s = t * c;
  auto const turn = [c, s](double& first, double& other) {
    double const old = first;
    first = c * old - s * other;
    other = s * old + c * other;
  };
  for (int k = 0; k < 3; ++k)
    turn(a[k][p], a[k][q]);
  for (int k = 0; k < 3; ++k)
    turn(a[p][k], a[q][k]);
  for (int k = 0; k < 3; ++k)
    turn(vectors[k][p], vectors[k][q]);
}

/// The principal axes of points, by descending variance along them.
struct principal_axes {
  std::array<direction, 3> axes;
  std::array<double, 3> variances;
};

/// Eigenvectors and eigenvalues by Jacobi's method.
principal_axes find_principal_axes(symmetric a) {
  constexpr int num_sweeps = 8; // it converges quadratically: 5 suffice for all of a double's bits
  symmetric vectors{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < num_sweeps; ++sweep) {
    rotate(a, vectors, 0, 1);
    rotate(a, vectors, 0, 2);
    rotate(a, vectors, 1, 2);
  }
  std::array<int, 3> order{0, 1, 2};
  std::ranges::stable_sort(order, std::greater(), [&](int k) { return a[k][k]; });
  principal_axes found{};
  for (int k = 0; k < 3; ++k) {
    found.axes[k] = {vectors[0][order[k]], vectors[1][order[k]], vectors[2][order[k]]};
    found.variances[k] = a[order[k]][order[k]];
  }
  return found;
}

/// The axis along which points of this covariance vary most. Where they vary nearly as much along
/// another axis, as in a cube, rounding would choose among the two and all axes between them. Then
/// a coordinate axis is taken if one is as good, which leaves the smallest boxes.
direction longest_direction(symmetric const& varies) {
  constexpr double nearly = 0.9;
  auto const [axes, variances] = find_principal_axes(varies);
  int straight = 0;
  for (int axis = 1; axis < 3; ++axis)
    straight = varies[axis][axis] > varies[straight][straight] ? axis : straight;
  double const enough = nearly * variances[0];
  if (variances[1] >= enough && varies[straight][straight] >= enough)
    return along(straight);
  return axes[0];
}

template <int D>
void project_block(point_arrays const& arrays, direction const& onto, std::int64_t begin,
                   std::int64_t end, double* keys) {
  double const* const x = arrays.coordinates[0].data();
  double const* const y = arrays.coordinates[1].data();
  double const* const z = arrays.coordinates[2].data();
  for (std::int64_t i = begin; i < end; ++i) {
    double key = onto[0] * x[i];
    if constexpr (D > 1)
      key += onto[1] * y[i];
    if constexpr (D > 2)
      key += onto[2] * z[i];
    keys[i] = key;
  }
}

} // namespace

direction along(int axis) {
  direction unit{};
  unit[axis] = 1;
  return unit;
}

std::vector<direction> find_inertial_axes(segmented_points const& points) {
  std::vector<direction> directions;
  for (segment_facts const& whole : points.facts())
    directions.push_back(whole.sums[0] == 0
                             ? along(longest_axis(whole.box, points.num_dimensions()))
                             : longest_direction(covariance(whole.sums)));
  return directions;
}

void project(segmented_points const& points, direction const& onto, std::int64_t begin,
             std::int64_t end, std::span<double> keys) {
  switch (points.num_dimensions()) {
  case 1: return project_block<1>(points.arrays(), onto, begin, end, keys.data());
  case 2: return project_block<2>(points.arrays(), onto, begin, end, keys.data());
  default: return project_block<3>(points.arrays(), onto, begin, end, keys.data());
  }
}

} // namespace seam::detail
