/// Recursive bisection in place: the common algorithm of the geometric partitioners.
#pragma once

#include <seam/mesh/partition/segments.hpp>

namespace seam::detail {

/// The direction across which each segment of a level is cut. Local.
struct direction_rule {
  std::vector<direction> (*directions_of)(segmented_points const& points);
  bool wants_moments; ///< of segments
};

/// The part of each of this rank's points, with num_parts / 2 (rounded down) of a group's parts on
/// the lower side of each cut. The parts do not depend on the distribution of points over ranks.
///
/// No point leaves its rank: each level passes over the points of all its groups at once, with a
/// constant number of collective calls for all groups.
/// @throws usage_error  num_parts is below 1 or not the same on all ranks (on all ranks)
/// Collective: over `over`.
std::vector<int> bisect_recursively(Communicator const& over, point_cloud const& points,
                                    cloud_facts const& facts, int num_parts,
                                    direction_rule const& rule);

} // namespace seam::detail
