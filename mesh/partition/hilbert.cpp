#include <seam/mesh/partition/partition.hpp>

#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/partition/recursive_bisection.hpp>

#include <algorithm>
#include <cmath>

namespace seam {
using namespace detail;

namespace {

constexpr int bits_of_index = 52; ///< fit into a double

std::vector<direction> along_the_curve(segmented_points const& points) {
  return std::vector(points.segments().size(), along(0));
}

/// The cells of a cloud's cube, and the points' positions along the curve through them.
class curve {
public:
  curve(bounding_box const& box, int num_dimensions)
      : num_axes_(num_dimensions),
        bits_(bits_of_index / num_dimensions),
        last_(std::ldexp(1, bits_) - 1),
        lo_(box.lo) {
    double const longest = box.extent(detail::longest_axis(box, num_dimensions));
    cells_per_length_ = longest > 0x1p-500 ? std::ldexp(1, bits_) / longest : 0;
  }

  double position(point_cloud const& points, local_id i) const {
    std::array<std::uint32_t, 3> cell{};
    for (int axis = 0; axis < num_axes_; ++axis)
      cell[axis] = cell_of(points.coordinates[axis][i], axis);
    return static_cast<double>(hilbert_index(std::span(cell).first(num_axes_), bits_));
  }

private:
  std::uint32_t cell_of(double coordinate, int axis) const {
    return static_cast<std::uint32_t>(std::min((coordinate - lo_[axis]) * cells_per_length_,
                                               last_));
  }

  int num_axes_, bits_;
  double last_; ///< cell along an axis
  std::array<double, 3> lo_;
  double cells_per_length_;
};

} // namespace

std::int64_t hilbert_index(std::span<std::uint32_t const> cell, int bits) {
  std::array<std::uint32_t, 3> x{};
  std::ranges::copy(cell, x.begin());
  auto const n = std::ssize(cell);
  for (std::uint32_t half = 1U << (bits - 1); half > 1; half >>= 1)
    for (int a = 0; a < n; ++a) {
      std::uint32_t const below = half - 1;
      std::uint32_t const swapped = (x[a] & half) != 0 ? 0 : (x[0] ^ x[a]) & below;
      x[0] ^= (x[a] & half) != 0 ? below : swapped;
      x[a] ^= swapped;
    }
  for (int a = 1; a < n; ++a)
    x[a] ^= x[a - 1];
  std::uint32_t flip = 0;
  for (std::uint32_t half = 1U << (bits - 1); half > 1; half >>= 1)
    flip ^= (x[n - 1] & half) != 0 ? half - 1 : 0;
  std::int64_t index = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (int a = 0; a < n; ++a)
      index = 2 * index + (((x[a] ^ flip) >> bit) & 1U);
  return index;
}

std::vector<double> detail::positions_on_curve(Communicator const& over, point_cloud const& points,
                                               cloud_facts const& facts) {
  if (points.num_dimensions == 1)
    return {points.coordinates[0].begin(), points.coordinates[0].end()};
  segmented_points whole(points, facts, 2, false);
  whole.agree(over.context());
  curve const through(whole.facts()[0].box, points.num_dimensions);
  std::vector<double> positions(points.ids.size());
  for (local_id i = 0; i < std::ssize(positions); ++i)
    positions[i] = through.position(points, i);
  return positions;
}

std::vector<int> partition_by_hilbert(Communicator const& over, point_cloud const& points,
                                      int num_parts) {
  detail::call_scope const here("partition_by_hilbert");
  cloud_facts const facts = examine(over, points);
  auto const positions = positions_on_curve(over, points, facts);
  point_cloud line = points;
  line.num_dimensions = 1;
  line.coordinates = {positions};
  return bisect_recursively(over, line, facts, num_parts, {along_the_curve, false});
}

} // namespace seam
