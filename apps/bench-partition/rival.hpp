/// Partitioners of other libraries.
#pragma once

#include <kit/method.hpp>
#include <seam/exchange.hpp>
#include <seam/partition.hpp>

#include <memory>
#include <vector>

namespace partition_bench {

/// A partitioner that is set up for a cloud.
class rival : public bench::method {
public:
  /// Finds the part of each of this rank's points.
  /// Collective: over the cloud's ranks.
  virtual std::vector<int> partition() = 0;
};

/// Sets up Zoltan's `method` for an imbalance of at most 1.001; empty if seam has no Zoltan.
/// @param points  outlive the partitioner
/// @param method  "RIB", "RCB" or "HSFC"
/// Collective: over `over`.
std::unique_ptr<rival> make_zoltan(seam::mpi::comm_view over, seam::point_set const& points,
                                   char const* method, int num_parts);

} // namespace partition_bench
