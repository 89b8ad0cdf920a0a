/// Hosts: which rank is on which, and what their links to each other have carried.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/mapping/placement.hpp>

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace mapping_bench {

/// What leaves a host and what comes to it. [bytes]
struct traffic {
  std::int64_t sent = 0, received = 0;

  friend bool operator==(traffic const&, traffic const&) = default;
};

/// Of all interfaces but the loopback, from the text of Linux's /proc/net/dev.
traffic traffic_in(std::istream& counters);

/// The hosts that the ranks of a communicator run on.
class hosts {
public:
  /// Collective: over `world`, which outlives it.
  explicit hosts(seam::mpi::comm_view world);

  int count() const { return placement_.tree.nodes().num_parts(); }
  std::string const& name(int host) const { return placement_.nodes2hosts[host]; }

  /// The host of this rank, and its number among the ranks of that host.
  int host() const { return host_; }
  int index_on_host() const { return index_; }

  /// Where the ranks of another communicator of the same processes sit. Collective: over `other`.
  seam::placement placement_of(seam::mpi::comm_view other) const;

  /// What has gone over each host's link so far, counted by its interfaces. [count()] The same on
  /// all ranks. Collective.
  /// @throws usage_error  the counters cannot be read (on all ranks)
  std::vector<traffic> count_traffic() const;

private:
  seam::mpi::comm_view world_;
  seam::placement placement_;
  int host_, index_;
};

/// Adds the numbers of all ranks. [the same length on all] Collective: over `world`.
std::vector<traffic> sum_of(seam::mpi::comm_view world, std::vector<traffic> mine);

} // namespace mapping_bench
