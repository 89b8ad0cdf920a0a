/// Hilbert: partition along a space-filling curve.
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

#include <vector>

namespace seam {

/// The part of each of this rank's points, as in partition_by_rib(), but cut along Hilbert's curve
/// through the cube around the cloud: part p + 1 begins where part p ends.
///
/// The curve has 2^17 steps along each edge of a cube, 2^26 of a square; points in one step are
/// divided by id. In one dimension it is the axis.
/// Collective: over `over`.
/// Source: J. Skilling: Programming the Hilbert curve. AIP Conf. Proc. 707, 2004.
std::vector<int> partition_by_hilbert(Communicator const& over, point_cloud const& points,
                                      int num_parts);

namespace detail {

/// The position of each point along the curve by which partition_by_hilbert() cuts. [num_points()]
/// Collective: over `over`.
std::vector<double> positions_on_curve(Communicator const& over, point_cloud const& points,
                                       cloud_facts const& facts);

} // namespace detail

/// The position on Hilbert's curve of a cell, in a grid of 2^bits cells along each axis.
///
/// @param cell  [num_dimensions], each from 0 to 2^bits - 1; bits * num_dimensions at most 62
/// Local.
std::int64_t hilbert_index(std::span<std::uint32_t const> cell, int bits);

} // namespace seam
