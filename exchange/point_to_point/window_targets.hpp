/// The targets of a window's accesses, and the ranks that may access this one's memory.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace seam::detail {

/// The length of a rank's memory, and the unit of displacements in it. [bytes]
struct extents {
  std::int64_t length, unit;
};

/// The extents of all destinations of this process.
/// Collective: over `over`.
std::map<int, extents> extents_of_targets(Communicator const& over, collective_edges const& edges,
                                          extents const& own);

/// The edges from the targets of accesses to their origins. Local.
collective_edges turned(collective_edges const& edges);

/// Signs along edges: that sources may access a rank's memory (along turned edges), or that a
/// rank's accesses of its targets are done.
class neighbor_signs {
public:
  /// Collective: over `over`.
  neighbor_signs(Communicator const& over, collective_edges const& along);

  /// Sends a sign along each outgoing edge, and waits for one along each incoming edge.
  /// Collective: over the communicator; waits only for neighbors.
  void exchange() { operation_.run(); }

private:
  operation make(Communicator const& over, collective_edges const& along);

  std::vector<std::byte> signs_; ///< a byte to send, and one for each incoming edge
  operation operation_;
};

} // namespace seam::detail
