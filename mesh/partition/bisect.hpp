/// Bisection by migration: the points of a half-space go to the first half of the ranks, the others
/// to the second half. One step of a recursive bisection that migrates at every level.
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

namespace seam {

/// The points whose product with `normal` is at least `offset`.
struct half_space {
  std::array<double, 3> normal{};
  double offset = 0;

  /// Whether a point lies inside. Axes that the points do not have are left out.
  bool contains(point_cloud const& points, local_id point) const;
};

/// Sends points `inside` to ranks 0 to P/2 - 1 of P ranks, the others to ranks P/2 to P - 1, and
/// returns the points that this rank has then.
///
/// Each half of the ranks shares its points evenly, in the order of ranks and of their arrays; the
/// last rank of a half gets the remainder. A single rank keeps all points, first those inside.
/// @throws usage_error  see examine() (the same line on all ranks)
/// Collective: over `over`.
/// Source: [Ibanez2015] sec. 5.2, listing 3 (bisect). Differences: halves may have fewer points
/// than ranks; shares are those of the receiving half (the listing divides by the sender's half);
/// order by sender makes indices needless.
point_set bisect(Communicator const& over, point_cloud const& points, half_space const& inside);

} // namespace seam
