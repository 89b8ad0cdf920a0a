/// Hosts: the placement of ranks on them, and the bytes that their network interfaces have counted.
#pragma once

#include <seam/exchange.hpp>
#include <seam/mapping.hpp>

#include <cstdint>
#include <istream>
#include <vector>

namespace mapping_bench {

/// Bytes that a host has sent and received.
struct traffic {
  std::int64_t sent = 0, received = 0;

  friend bool operator==(traffic const&, traffic const&) = default;
};

/// Adds up the traffic of all interfaces but the loopback, from the text of Linux's /proc/net/dev.
traffic traffic_in(std::istream& counters);

/// The hosts that the ranks of a communicator run on.
class hosts {
public:
  /// Finds the hosts of all ranks.
  /// Collective: over `world`, which outlives this object.
  explicit hosts(seam::mpi::comm_view world);

  int count() const { return placement_.tree.nodes().num_parts(); }

  /// The host of this rank, and the rank's number on that host.
  int host() const { return host_; }
  int index_on_host() const { return index_; }

  /// The placement of another communicator of the same processes.
  /// Collective: over `other`.
  seam::placement placement_of(seam::mpi::comm_view other) const;

  /// Reads the traffic of each host so far, as its interfaces count it.
  /// @return  [count()] the same on all ranks
  /// @throws usage_error  the counters cannot be read (on all ranks)
  /// Collective: over the world.
  std::vector<traffic> count_traffic() const;

private:
  seam::mpi::comm_view world_;
  seam::placement placement_;
  int host_, index_;
};

} // namespace mapping_bench
