/// Point clouds: points that are distributed over ranks, as the arrays of each rank.
///
///     point_cloud const centers{.coordinates = {x, y, z}, .ids = ids};
///     auto const points2parts = partition_by_rib(comm, centers, 64);
///
/// A point stands for a cell, at its center, or for a particle. Its global id says for which, and
/// orders points in the same place.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/numbering/ids.hpp>

#include <array>
#include <span>
#include <vector>

namespace seam {

/// This rank's points: a view of arrays of the caller. Copied freely.
struct point_cloud {
  /// [1 to 3] axis by axis, [num_points()] each; the same number of axes on all ranks. Axes that
  /// are not used stay empty.
  std::array<std::span<double const>, 3> coordinates{};
  int num_dimensions = 3;

  /// [num_points()] or, where all weigh the same, empty. At least 0.
  std::span<double const> weights{};

  /// [num_points()] distinct in the whole cloud.
  std::span<global_id const> ids{};

  local_id num_points() const noexcept { return static_cast<local_id>(ids.size()); }
};

/// Points with arrays of their own, as many as ids. A value.
struct point_set {
  std::array<std::vector<double>, 3> coordinates;
  int num_dimensions = 3;
  std::vector<double> weights;
  std::vector<global_id> ids;

  point_cloud view() const noexcept;
  operator point_cloud() const noexcept { return view(); }

  friend bool operator==(point_set const& a, point_set const& b);
};

/// Facts about the whole cloud, the same on all ranks.
struct cloud_facts {
  std::int64_t num_points = 0; ///< of all ranks
  bool is_weighted = false;    ///< false also if all weights are 0
  double largest_weight = 1;
};

/// Checks every point, and returns facts about the whole cloud.
///
/// @throws usage_error  lengths differ; a coordinate is not finite or beyond 2^500; a weight is
///         negative or not finite; an id is negative; some ranks have weights for their points and
///         others have not; ranks differ in the number of axes (the same line on all ranks)
/// Collective: over `over`.
cloud_facts examine(Communicator const& over, point_cloud const& points);

} // namespace seam
