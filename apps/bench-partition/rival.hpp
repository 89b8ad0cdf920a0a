/// Other libraries' partitioners.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/mesh/partition/point_cloud.hpp>

#include <memory>
#include <vector>

namespace partition_bench {

/// A way to divide a cloud, set up for it.
class rival {
public:
  rival() = default;
  rival(rival const&) = delete;
  rival& operator=(rival const&) = delete;
  virtual ~rival() = default;

  /// The part of each of this rank's points. Collective.
  virtual std::vector<int> partition() = 0;
};

/// Zoltan's `method`, "RIB", "RCB" or "HSFC", asked for an imbalance of at most 1.001; empty where
/// seam has no Zoltan. `points` must stay. Collective: over `over`.
std::unique_ptr<rival> make_zoltan(seam::mpi::comm_view over, seam::point_set const& points,
                                   char const* method, int num_parts);

} // namespace partition_bench
