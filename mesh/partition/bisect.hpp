/// Bisection by moving: the points of a half-space go to the first half of the ranks, the others to
/// the second half. The step of a recursive bisection that migrates at every level.
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

namespace seam {

/// The points whose product with `normal` is at least `offset`.
struct half_space {
  std::array<double, 3> normal{};
  double offset = 0;

  /// Whether a point lies inside. Axes that the points do not have are left out.
  bool contains(point_cloud const& points, std::size_t point) const;
};

/// This rank's points after those `inside` have gone to ranks 0 to P/2 - 1 of P and the others to
/// ranks P/2 to P - 1.
///
/// Each half of the ranks shares its points evenly, in the order of ranks and of their arrays; the
/// last of a half takes the remainder. A single rank keeps all, those inside first.
/// @throws usage_error  see examine() (the same line on all ranks)
/// Collective: over `over`. Source: [Ibanez2015] sec. 5.2, listing 3 (bisect); differs in that the
/// halves may have fewer points than ranks, in that shares are those of the half that points go to
/// (the listing divides by the sender's), and in that order by sender makes indices needless.
point_set bisect(Communicator const& over, point_cloud const& points, half_space const& inside);

} // namespace seam
