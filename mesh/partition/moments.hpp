/// Moments: boxes and second moments of points, which are read where they lie, block by block.
///
/// All sums are sums of integers, so that they do not depend on the order of the points and thereby
/// on the ranks: coordinates count in steps of a box / 2^q, with q up to 20 and such that no sum
/// exceeds 2^62; weights count in steps of the largest weight / 2^8.
#pragma once

#include <seam/exchange/numbering/ids.hpp>
#include <seam/mesh/shapes/bounding_box.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace seam::detail {

/// Arrays of points, in the order of segments.
struct point_arrays {
  std::array<std::span<double const>, 3> coordinates{};
  std::span<std::int64_t const> weights{}; ///< fixed-point numbers, or empty: all 1
  std::span<local_id const> origins{};     ///< position in the arrays of the caller
};

/// Sums of integer weights w and coordinates x, y, z: w, wx, wy, wz, wxx, wyy, wzz, wxy, wxz, wyz.
constexpr int num_moments = 10;
using moments = std::array<std::int64_t, num_moments>;

/// The box of no points.
constexpr bounding_box empty_box = [] {
  constexpr double past_all = std::numeric_limits<double>::infinity();
  return bounding_box{{past_all, past_all, past_all}, {-past_all, -past_all, -past_all}};
}();

/// The coordinate axis along which a box is longest; the first one of equal axes.
int longest_axis(bounding_box const& box, int num_dimensions);

/// How the points of a cloud are measured. Local.
class point_measure {
public:
  /// @param num_points   of all ranks
  /// @param weight_bits  no weight exceeds 2^weight_bits; 0 without weights
  point_measure(int num_dimensions, std::int64_t num_points, int weight_bits);

  /// Widens `box` by points begin to end - 1.
  void add(point_arrays const& points, std::int64_t begin, std::int64_t end,
           bounding_box& box) const;

  /// Adds the moments of points begin to end - 1, in steps of a box that has them all.
  void add(point_arrays const& points, std::int64_t begin, std::int64_t end,
           bounding_box const& steps_of, moments& sums) const;

  /// Whether a box is so small that its points count as one place, without moments.
  bool is_place(bounding_box const& box) const;

  /// Whether the moments of points in `box` lose no bits that matter if they are counted in steps
  /// of `larger`.
  bool is_fine(bounding_box const& box, bounding_box const& larger) const;

private:
  double length(bounding_box const& box) const {
    return box.extent(longest_axis(box, num_dimensions_));
  }

  int num_dimensions_, bits_, weight_shift_;
};

} // namespace seam::detail
