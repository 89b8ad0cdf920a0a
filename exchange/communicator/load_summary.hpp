/// Summaries of the edges between two processes, which both compare.
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/ground/digest.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seam::detail {

/// The loads of all edges from one process to another, bytes or weights, in a fixed number of
/// bytes: the number of edges, the first loads, and a digest of all.
class load_summary {
public:
  void add(std::int64_t load);

  std::int64_t num_edges() const noexcept { return num_edges_; }

  /// "8, 16". Local.
  std::string list() const;

  /// "1 edge", "2 edges", "no edges". Local.
  std::string count() const;

  friend bool operator==(load_summary const&, load_summary const&) = default;

private:
  static constexpr int most_listed = 6;

  std::int64_t num_edges_ = 0;
  std::array<std::int64_t, most_listed> first_{};
  digest digest_;
};

/// The summary of the loads with each of `num_peers` processes. [num_peers] Local.
std::vector<load_summary> summaries_of(std::span<edge_load const> loads, int num_peers);

/// Returns if both ends of each edge between processes of `over` list it with the same weight.
///
/// @param graph  this process's edges; ranks are those of `over`, which is not bipartite
/// @throws usage_error  an edge is listed only at one end: the same line on all ranks
/// Collective: over `over`.
/// Cost: one alltoall of 64 bytes for each pair of processes.
void require_matching_edges(mpi::comm_view over, Topology const& graph);

} // namespace seam::detail
