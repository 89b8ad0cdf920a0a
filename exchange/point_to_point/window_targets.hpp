/// The targets of a window's accesses, and the processes that may access this one's memory.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace seam::detail {

/// The length of a process's memory, and the unit of displacements in it. [bytes]
struct extents {
  std::int64_t length, unit;
};

/// The extents of all destinations of this process.
/// Collective: over `over`.
std::map<int, extents> extents_of_targets(Communicator const& over, collective_edges const& edges,
                                          extents const& own);

/// Tells the sources of a process that they may access its memory, and waits until its targets have
/// told it that it may access theirs: MPI_Win_start would wait for that in the MPI library.
class exposure {
public:
  /// Collective: over `over`.
  exposure(Communicator const& over, collective_edges const& edges);

  /// Collective: over the communicator; waits for targets alone.
  void exchange() { operation_.run(); }

private:
  operation make(Communicator const& over, collective_edges const& backwards);

  std::vector<std::byte> signs_; ///< a byte to send, and one from each target
  operation operation_;
};

} // namespace seam::detail
