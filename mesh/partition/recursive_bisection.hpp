/// Recursive bisection in place: what the geometric partitioners have in common.
#pragma once

#include <seam/mesh/partition/inertia.hpp>

namespace seam::detail {

/// Across what to cut each of a level's segments. Collective: over its first argument.
using direction_rule = std::vector<direction> (*)(mpi::comm_view all,
                                                  segmented_points const& points);

/// The part of each of this rank's points, num_parts / 2 (rounded down) of a group's parts on the
/// lower side of each cut. The same whatever ranks the points are on.
///
/// No point leaves its rank: each level passes over the points of all its groups at once, and a
/// constant number of collective calls serves all groups.
/// @throws usage_error  num_parts is below 1 or not the same on all ranks (on all ranks)
/// Collective: over `over`.
std::vector<int> bisect_recursively(Communicator const& over, point_cloud const& points,
                                    cloud_facts const& facts, int num_parts,
                                    direction_rule directions_of);

} // namespace seam::detail
