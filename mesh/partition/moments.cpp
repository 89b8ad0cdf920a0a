#include <seam/mesh/partition/moments.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace seam::detail {
namespace {

constexpr int significant_weight_bits = 8;
constexpr int bits_of_product = 40; ///< sums of 2^12 of them are exact in a double
constexpr std::int64_t summed_at_once = 1 << 12;
constexpr double smallest_extent = 0x1p-500;

/// Bits of a coordinate, sign included, for which sums over all points stay below 2^62.
int coordinate_bits(std::int64_t num_points, bool is_weighted) {
  int const weight = is_weighted ? significant_weight_bits : 0;
  int const number = std::bit_width(static_cast<std::uint64_t>(num_points));
  return (std::min(bits_of_product, 62 - number) - weight) / 2;
}

/// Converts coordinates to integers: their distance from the center of a box, in steps.
struct coordinate_steps {
  std::array<double, 3> center{};
  double per_length = 0;

  coordinate_steps(bounding_box const& box, double length, int num_dimensions, int bits)
      : per_length(std::ldexp(1, bits) / length) {
    for (int axis = 0; axis < num_dimensions; ++axis)
      center[axis] = box.lo[axis] + box.extent(axis) / 2;
  }

  double of(double coordinate, int axis) const {
    constexpr double rounding = 0x1.8p52; // sums with it have no bits behind the point
    return ((coordinate - center[axis]) * per_length + rounding) - rounding;
  }
};

/// Adds the moments of points begin to end - 1, at most summed_at_once. Unused axes count as 0.
template <int D, class Weight>
void add_block(point_arrays const& arrays, coordinate_steps const& to_steps, Weight weight,
               std::int64_t begin, std::int64_t end, moments& sums) {
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
void add_blocks(point_arrays const& arrays, coordinate_steps const& to_steps, int weight_shift,
                std::int64_t first, std::int64_t last, moments& sums) {
  std::int64_t const up = (std::int64_t{1} << weight_shift) - 1;
  for (std::int64_t begin = first; begin < last; begin += summed_at_once) {
    std::int64_t const end = std::min(begin + summed_at_once, last);
    if (arrays.weights.empty())
      add_block<D>(
          arrays, to_steps, [](std::int64_t) { return 1.0; }, begin, end, sums);
    else
      add_block<D>(
          arrays, to_steps,
          [&](std::int64_t i) {
            return static_cast<double>((arrays.weights[i] + up) >> weight_shift);
          },
          begin, end, sums);
  }
}

} // namespace

int longest_axis(bounding_box const& box, int num_dimensions) {
  int longest = 0;
  for (int axis = 1; axis < num_dimensions; ++axis)
    longest = box.extent(axis) > box.extent(longest) ? axis : longest;
  return longest;
}

point_measure::point_measure(int num_dimensions, std::int64_t num_points, int weight_bits)
    : num_dimensions_(num_dimensions),
      bits_(coordinate_bits(num_points, weight_bits > 0) - 1),
      weight_shift_(std::max(0, weight_bits - significant_weight_bits)) {}

void point_measure::add(point_arrays const& points, std::int64_t begin, std::int64_t end,
                        bounding_box& box) const {
  for (int axis = 0; axis < num_dimensions_; ++axis) {
    double const* const values = points.coordinates[axis].data();
    double least = box.lo[axis], most = box.hi[axis];
#pragma omp simd reduction(min : least) reduction(max : most)
    for (std::int64_t i = begin; i < end; ++i) {
      least = values[i] < least ? values[i] : least;
      most = values[i] > most ? values[i] : most;
    }
    box.lo[axis] = least;
    box.hi[axis] = most;
  }
}

void point_measure::add(point_arrays const& points, std::int64_t begin, std::int64_t end,
                        bounding_box const& steps_of, moments& sums) const {
  coordinate_steps const to_steps(steps_of, length(steps_of), num_dimensions_, bits_);
  switch (num_dimensions_) {
  case 1: return add_blocks<1>(points, to_steps, weight_shift_, begin, end, sums);
  case 2: return add_blocks<2>(points, to_steps, weight_shift_, begin, end, sums);
  default: return add_blocks<3>(points, to_steps, weight_shift_, begin, end, sums);
  }
}

bool point_measure::is_place(bounding_box const& box) const {
  return !(length(box) > smallest_extent);
}

bool point_measure::is_fine(bounding_box const& box, bounding_box const& larger) const {
  constexpr double most = 8; // three bits of twenty
  return length(larger) >= length(box) && length(larger) <= most * length(box);
}

} // namespace seam::detail
