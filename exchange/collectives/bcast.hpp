/// Bcast: the root sends its elements to all processes, or to its out-neighbors.
#pragma once

#include <seam/exchange/calls/collective.hpp>

namespace seam {

/// Copies the root's elements to all processes. On a graph: to the root's out-neighbors; nothing
/// happens at other processes.
///
/// @param buffer  read at the root, written elsewhere
/// @param root    the same on all ranks; on bipartite communicators as in MPI (see planning/detail/edges.hpp)
/// Source: [Traeff2021] sec. 2.
collective bcast(elements const& buffer, int root);

/// Bcast of a contiguous range.
template <std::ranges::contiguous_range Range>
collective bcast(Range&& range, int root) {
  return bcast(elements_of(range), root);
}

} // namespace seam
