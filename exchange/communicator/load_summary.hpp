/// Summaries of the edges between two processes, which both compare.
#pragma once

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
  std::uint64_t digest_ = 0;
};

/// The summary of the loads with each of `num_peers` processes. [num_peers] Local.
std::vector<load_summary> summaries_of(std::span<edge_load const> loads, int num_peers);

} // namespace seam::detail
