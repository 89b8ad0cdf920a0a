/// RCB: recursive coordinate bisection.
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

#include <vector>

namespace seam {

/// The part of each of this rank's points, as in partition_by_rib(), but each cut goes across the
/// coordinate axis along which the box of the group is longest; the first one of equal axes.
///
/// Collective: over `over`.
/// Source: [Berger1987] (M. Berger, S. Bokhari: A partitioning strategy for nonuniform problems on
/// multiprocessors. IEEE Trans. Computers, 1987).
std::vector<int> partition_by_rcb(Communicator const& over, point_cloud const& points,
                                  int num_parts);

} // namespace seam
