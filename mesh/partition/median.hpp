/// Medians: the places at which segments of points are cut, for all segments of a level at once.
///
/// A histogram of each segment's keys tells which bin holds the cut. The points of that bin are
/// sorted into finer bins, until one key is left or the cut falls between two bins. Points with the
/// same key are divided by their ids in the same way. The number of collective calls depends on the
/// keys, not on the number of ranks or segments.
#pragma once

#include <seam/mesh/partition/inertia.hpp>

namespace seam::detail {

/// Finds the split of each segment that puts num_left() / num_parts of its weight on the left, as
/// closely as its points allow.
///
/// The split is exact: a place in the order by (key, id), whatever ranks the points are on. Of two
/// places equally close the right one is taken. Points of equal weight are divided so that no two
/// parts will differ by more than one point.
///
/// Points are ordered by their products with the direction of their segment, their keys.
/// @param directions  [segments]
/// @param keys        [points] set here, in the order of points.arrays()
/// Collective: over `all`.
/// Cost: an allreduce, then about two rounds of two.
/// Source: histogram refinement as in parallel selection and sample sort (Saukas and Song 1998).
std::vector<split> find_splits(mpi::comm_view all, segmented_points const& points,
                               std::span<direction const> directions, std::span<double> keys);

} // namespace seam::detail
