/// RIB: recursive inertial bisection.
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

#include <vector>

namespace seam {

/// The part of each of this rank's points, by recursive cuts of groups of points across the axis
/// along which they vary most.
///
/// Parts have equal weights as closely as points allow: each cut divides the weight of a group of P
/// parts as floor(P/2) : ceil(P/2). Points that project to the same place are divided by id. The
/// result depends only on the points, not on their ranks or order.
///
/// @param num_parts  at least 1; unrelated to the number of ranks
/// @throws usage_error  as examine(); num_parts is below 1 or differs between ranks (the same line
///         on all ranks)
/// Collective: over `over`.
/// Cost: log2(num_parts) levels of four passes over the own points and about eight allreduces.
/// Source: [Ibanez2015] sec. 5.2; differs in that points stay where they are and that all groups of
/// a level are cut together.
std::vector<int> partition_by_rib(Communicator const& over, point_cloud const& points,
                                  int num_parts);

} // namespace seam
