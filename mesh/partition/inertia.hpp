/// Inertia: the bounding boxes of the points of segments, and the axes along which they vary most.
#pragma once

#include <seam/mesh/partition/segments.hpp>
#include <seam/mesh/shapes/bounding_box.hpp>

namespace seam::detail {

/// A direction to cut across; points are ordered by their product with it. Axes that the cloud
/// lacks are 0.
using direction = std::array<double, 3>;

/// The box of each segment. [segments]
/// Collective: over `all` (one allreduce).
std::vector<bounding_box> find_boxes(mpi::comm_view all, segmented_points const& points);

/// The coordinate axis along which a box is longest; the first one of equal axes.
/// Local.
int longest_axis(bounding_box const& box, int num_dimensions);

/// The unit vector along a coordinate axis.
direction along(int axis);

/// The axis of each segment about which its points have the least moment of inertia, that is along
/// which they vary most. Where two axes differ by less than a tenth, a coordinate axis is taken if
/// there is one as good.
///
/// All sums are sums of integers, so that they do not depend on the order of the points and thereby
/// on the ranks: coordinates count in steps of the segment's box / 2^q, with q up to 20 and such
/// that no sum exceeds 2^62; weights count in steps of the largest weight / 2^8.
/// Collective: over `all` (two allreduces).
/// Source: H. Simon: Partitioning of unstructured problems for parallel processing. Computing
/// Systems in Engineering, 1991 (recursive inertial bisection).
std::vector<direction> find_inertial_axes(mpi::comm_view all, segmented_points const& points);

/// Product of each point with the direction of its segment. [points]
/// Local.
void project(segmented_points const& points, std::span<direction const> directions,
             std::span<double> keys);

} // namespace seam::detail
