/// What all partitioners divide: a cloud whose points are on ranks at random.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/partition/point_cloud.hpp>

#include <string_view>

namespace partition_bench {

enum class shape {
  box,    ///< even in a box of 4 x 2 x 1
  cluster ///< dense around 32 centers in that box, each of another width
};

std::string_view name_of(shape of) noexcept;

/// This rank's share of `num_points`, ids from 0. The whole cloud does not depend on the number of
/// ranks. Local.
seam::point_set make_cloud(int rank, int num_ranks, std::int64_t num_points, shape of);

/// Pairs of points that are near to each other: each point and the next one along some Hilbert
/// curves through the cloud, which are turned and shifted at random. Near is relative to how dense
/// the cloud is, so that cuts are counted alike in all of it.
class near_pairs {
public:
  /// The whole cloud is looked at on rank 0. Collective: over `over`.
  near_pairs(seam::Communicator const& over, std::int64_t num_points, shape of);

  /// Pairs in different parts; the same on all ranks. Collective: over `over`.
  std::int64_t num_cut(seam::Communicator const& over, seam::point_cloud const& points,
                       std::vector<int> const& points2parts) const;

private:
  std::vector<std::vector<seam::local_id>> curves_; ///< [curves][points] in the order of the curve
};

} // namespace partition_bench
