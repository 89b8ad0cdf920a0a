/// The input of all partitioners: a cloud whose points are distributed over ranks at random; and the
/// partitioners of other libraries.
#pragma once

#include <seam/exchange.hpp>
#include <seam/partition.hpp>

#include <functional>
#include <vector>

namespace partition_bench {

enum class shape {
  box,    ///< evenly distributed in a box of 4 x 2 x 1
  cluster ///< dense around 32 centers in that box, with different widths
};

/// Makes this rank's share of `num_points` points with ids from 0. The whole cloud does not depend
/// on the number of ranks. Local.
seam::point_set make_cloud(int rank, int num_ranks, std::int64_t num_points, shape of);

/// Pairs of near points: each point and the next one along some Hilbert curves through the cloud,
/// which are turned and shifted at random. The distance of a pair follows the density of the cloud,
/// so that cuts are counted alike in all of it.
class near_pairs {
public:
  /// Finds the pairs of the whole cloud, on rank 0.
  /// Collective: over `over`.
  near_pairs(seam::Communicator const& over, std::int64_t num_points, shape of);

  /// Counts the pairs in different parts.
  /// @return  the count, the same on all ranks
  /// Collective: over `over`.
  std::int64_t num_cut(seam::Communicator const& over, seam::point_cloud const& points,
                       std::vector<int> const& points2parts) const;

private:
  std::vector<std::vector<seam::local_id>> curves_; ///< [curves][points] in the order of the curve
};

/// Sets up Zoltan's `method` for an imbalance of at most 1.001. In builds with Zoltan.
/// @param points  outlive the partitioner
/// @param method  "RIB", "RCB" or "HSFC"
/// @return        finds the part of each of this rank's points, collectively
/// Collective: over `over`.
std::function<std::vector<int>()> make_zoltan(
    seam::mpi::comm_view over, seam::point_set const& points, char const* method, int num_parts);

} // namespace partition_bench
