/// Inertia: the axes along which the points of segments vary most.
#pragma once

#include <seam/mesh/partition/segments.hpp>

namespace seam::detail {

/// A direction to cut across; points are ordered by their product with it. Axes that the cloud
/// lacks are 0.
using direction = std::array<double, 3>;

/// The unit vector along a coordinate axis.
direction along(int axis);

/// The axis of each segment about which its points have the least moment of inertia, that is along
/// which they vary most. Where two axes differ by less than a tenth, a coordinate axis is taken if
/// there is one as good.
/// Source: H. Simon: Partitioning of unstructured problems for parallel processing. Computing
/// Systems in Engineering, 1991 (recursive inertial bisection).
std::vector<direction> find_inertial_axes(segmented_points const& points);

/// The products of points begin to end - 1 with a direction.
/// @param keys  [points]
void project(segmented_points const& points, direction const& onto, std::int64_t begin,
             std::int64_t end, std::span<double> keys);

} // namespace seam::detail
