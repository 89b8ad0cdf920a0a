#include <seam/mesh/partition/inertia.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace seam::detail {
namespace {

/// Sums of integer weights w and coordinates x, y, z: w, wx, wy, wz, wxx, wyy, wzz, wxy, wxz, wyz.
constexpr int num_moments = 10;
using moments = std::array<std::int64_t, num_moments>;
using symmetric = std::array<std::array<double, 3>, 3>;

constexpr int significant_weight_bits = 8;
constexpr int bits_of_product = 40; ///< sums of 2^12 of them are exact in a double
constexpr std::int64_t block_length = 1 << 12;
constexpr double smallest_extent = 0x1p-500;

/// Bits of a coordinate, sign included, for which sums over all points stay below 2^62.
int coordinate_bits(segmented_points const& points) {
  int const weight = points.is_weighted() ? significant_weight_bits : 0;
  int const number = std::bit_width(static_cast<std::uint64_t>(points.num_points_of_all()));
  return (std::min(bits_of_product, 62 - number) - weight) / 2;
}

/// Converts coordinates to integers: their distance from the center of a box, in steps.
struct steps {
  std::array<double, 3> center{};
  double per_length = 0;

  steps(bounding_box const& box, int num_dimensions, int bits) {
    double longest = 0;
    for (int axis = 0; axis < num_dimensions; ++axis) {
      center[axis] = box.lo[axis] + box.extent(axis) / 2;
      longest = std::max(longest, box.extent(axis));
    }
    per_length = std::ldexp(1, bits) / longest;
  }

  double of(double coordinate, int axis) const {
    constexpr double rounding = 0x1.8p52; // sums with it have no bits behind the point
    return ((coordinate - center[axis]) * per_length + rounding) - rounding;
  }
};

/// Adds the moments of points begin to end - 1, at most block_length. Unused axes count as 0.
template <int D, class Weight>
void add_block(point_arrays const& arrays, steps const& to_steps, Weight weight, std::int64_t begin,
               std::int64_t end, moments& sums) {
  double const* const xs = arrays.coordinates[0].data();
  double const* const ys = arrays.coordinates[1].data();
  double const* const zs = arrays.coordinates[2].data();
  double w = 0, wx = 0, wy = 0, wz = 0, xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
#pragma omp simd reduction(+ : w, wx, wy, wz, xx, yy, zz, xy, xz, yz)
  for (std::int64_t i = begin; i < end; ++i) {
    double const mass = weight(i);
    double const x = to_steps.of(xs[i], 0);
    double const y = D > 1 ? to_steps.of(ys[i], 1) : 0;
    double const z = D > 2 ? to_steps.of(zs[i], 2) : 0;
    w += mass;
    wx += mass * x;
    wy += mass * y;
    wz += mass * z;
    xx += mass * x * x;
    yy += mass * y * y;
    zz += mass * z * z;
    xy += mass * x * y;
    xz += mass * x * z;
    yz += mass * y * z;
  }
  std::array const block{w, wx, wy, wz, xx, yy, zz, xy, xz, yz};
  for (int m = 0; m < num_moments; ++m)
    sums[m] += static_cast<std::int64_t>(block[m]);
}

template <int D>
moments moments_of(segmented_points const& points, segment const& group, steps const& to_steps) {
  point_arrays const& arrays = points.arrays();
  int const shift = std::max(0, points.weight_bits() - significant_weight_bits);
  std::int64_t const up = (std::int64_t{1} << shift) - 1;
  moments sums{};
  for (std::int64_t begin = group.begin; begin < group.end; begin += block_length) {
    std::int64_t const end = std::min(begin + block_length, group.end);
    if (arrays.weights.empty())
      add_block<D>(
          arrays, to_steps, [](std::int64_t) { return 1.0; }, begin, end, sums);
    else
      add_block<D>(
          arrays, to_steps,
          [&](std::int64_t i) { return static_cast<double>((arrays.weights[i] + up) >> shift); },
          begin, end, sums);
  }
  return sums;
}

moments moments_of(segmented_points const& points, segment const& group, steps const& to_steps) {
  switch (points.num_dimensions()) {
  case 1: return moments_of<1>(points, group, to_steps);
  case 2: return moments_of<2>(points, group, to_steps);
  default: return moments_of<3>(points, group, to_steps);
  }
}

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
void project_segment(point_arrays const& arrays, segment const& group, direction const& to,
                     double* keys) {
  double const* const x = arrays.coordinates[0].data();
  double const* const y = arrays.coordinates[1].data();
  double const* const z = arrays.coordinates[2].data();
  for (std::int64_t i = group.begin; i < group.end; ++i) {
    double key = to[0] * x[i];
    if constexpr (D > 1)
      key += to[1] * y[i];
    if constexpr (D > 2)
      key += to[2] * z[i];
    keys[i] = key;
  }
}

} // namespace

std::vector<bounding_box> find_boxes(mpi::comm_view all, segmented_points const& points) {
  constexpr double past_all = std::numeric_limits<double>::infinity();
  int const num_axes = points.num_dimensions();
  std::vector<double> bounds;
  for (segment const& group : points.segments())
    for (int axis = 0; axis < num_axes; ++axis) {
      double const* const values = points.arrays().coordinates[axis].data();
      double least = past_all, most = -past_all;
#pragma omp simd reduction(min : least) reduction(max : most)
      for (std::int64_t i = group.begin; i < group.end; ++i) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
      }
      bounds.push_back(-least);
      bounds.push_back(most);
    }
  mpi::allreduce(all, std::span(bounds), MPI_MAX);
  std::vector<bounding_box> boxes(points.segments().size());
  for (std::int64_t s = 0; s < std::ssize(boxes); ++s)
    for (int axis = 0; axis < num_axes; ++axis) {
      boxes[s].lo[axis] = -bounds[2 * (s * num_axes + axis)];
      boxes[s].hi[axis] = bounds[2 * (s * num_axes + axis) + 1];
    }
  return boxes;
}

int longest_axis(bounding_box const& box, int num_dimensions) {
  int longest = 0;
  for (int axis = 1; axis < num_dimensions; ++axis)
    longest = box.extent(axis) > box.extent(longest) ? axis : longest;
  return longest;
}

direction along(int axis) {
  direction unit{};
  unit[axis] = 1;
  return unit;
}

std::vector<direction> find_inertial_axes(mpi::comm_view all, segmented_points const& points) {
  auto const boxes = find_boxes(all, points);
  auto const& segments = points.segments();
  int const bits = coordinate_bits(points) - 1;
  auto const is_a_place = [&](bounding_box const& box) {
    return !(box.extent(longest_axis(box, points.num_dimensions())) > smallest_extent);
  };
  std::vector<moments> sums(segments.size());
  for (int s = 0; s < std::ssize(segments); ++s)
    if (!is_a_place(boxes[s]))
      sums[s] = moments_of(points, segments[s], steps(boxes[s], points.num_dimensions(), bits));
  mpi::allreduce(all, std::span(sums.data()->data(), num_moments * sums.size()), MPI_SUM);

  std::vector<direction> directions;
  for (int s = 0; s < std::ssize(segments); ++s)
    directions.push_back(sums[s][0] == 0 ? along(longest_axis(boxes[s], points.num_dimensions()))
                                         : longest_direction(covariance(sums[s])));
  return directions;
}

void project(segmented_points const& points, std::span<direction const> directions,
             std::span<double> keys) {
  for (int s = 0; s < std::ssize(directions); ++s) {
    segment const& group = points.segments()[s];
    switch (points.num_dimensions()) {
    case 1: project_segment<1>(points.arrays(), group, directions[s], keys.data()); break;
    case 2: project_segment<2>(points.arrays(), group, directions[s], keys.data()); break;
    default: project_segment<3>(points.arrays(), group, directions[s], keys.data()); break;
    }
  }
}

} // namespace seam::detail
