/// Cartesian structure: the grid and the neighborhood of a graph communicator whose processes stand
/// on a grid and all have the same neighborhood; the graph is then called isomorphic or Cartesian.
/// Plain numbers, found by mapping/cartesianity.hpp, for message-combining schedules.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace seam {

/// The cost of a message: latency + bytes * seconds_per_byte.
struct network_model {
  double latency = 0;          ///< [s]
  double seconds_per_byte = 0; ///< [s/byte]

  friend bool operator==(network_model const&, network_model const&) = default;
};

/// Processes on a grid, this process's place in it, and the vectors that lead from every process to
/// its out-neighbors, as far as they lead to points of the grid. An immutable value.
struct cartesian_structure {
  using vector = std::vector<int>; ///< [num_dimensions]

  vector extent;                    ///< points along each dimension
  std::vector<bool> periodic;       ///< [num_dimensions]
  std::vector<std::int64_t> stride; ///< [num_dimensions] how far ranks are apart along a dimension
  vector place;                     ///< of this process
  std::vector<vector> vectors;      ///< lexicographic; they may repeat
  std::vector<int> destinations2vectors; ///< [out-degree] each once; -1 nowhere
  std::vector<int> sources2vectors;      ///< [in-degree] each once; -1 nowhere
  bool all_have_edges = true;            ///< every process has edges in and out
  network_model network;                 ///< by which schedules are chosen, the same on all ranks

  int num_dimensions() const noexcept { return static_cast<int>(extent.size()); }

  /// The point `at` moved by `by`, or nothing beyond the border of a dimension that is not
  /// periodic.
  std::optional<vector> moved(vector const& at, vector const& by) const;

  /// The rank at a point of the grid.
  int rank_at(vector const& point) const;
};

} // namespace seam
