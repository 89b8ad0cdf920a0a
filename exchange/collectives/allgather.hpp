/// Allgather: the same block to everybody.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

#include <vector>

namespace seam {

/// Everybody gets everybody's block. On a graph `send` leaves along every destination, and block e
/// of `receive` arrives along source e, in the order of the edges.
///
/// Messages are combined as those of alltoall() are.
///
/// @param send     one block; or MPI_IN_PLACE, which takes it from where it is received (on a
/// graph:
///                 from the first edge that leads from the process to itself)
/// @param receive  the first of the blocks, which lie one behind the other
/// Source: [Traeff2021] sec. 2 (MPI_Allgather as MPI_Neighbor_allgather).
collective allgather(elements const& send, elements const& receive);

/// The same with arriving blocks wherever, however long and of whatever type: MPI_Allgatherv, and
/// the MPI_Allgatherw that MPI lacks. On a Cartesian graph prepare() asks all ranks whether all
/// blocks are of one length, and then combines messages where it pays; run() and start() send
/// directly.
/// @param receives  [sources]; receives[e] has as many bytes as the other end of the edge sends
/// Source: [Traeff2021] sec. 2.1.
collective allgatherw(elements const& send, std::vector<elements> receives);

namespace detail {

/// allgather into blocks that together are `receive`.
collective allgather_into_all(elements const& send, elements const& receive);

/// allgatherw into the blocks of `counts` elements that follow each other in `receive`.
collective allgather_by_counts(elements const& send, elements const& receive,
                               std::vector<int> const& counts);

} // namespace detail

/// Blocks of equal length that fill a contiguous range. As allgather() above.
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective allgather(Send const& send, Receive&& receive) {
  return detail::allgather_into_all(elements_of(send), elements_of(receive));
}

/// Blocks of counts[e] elements, one behind the other, into a contiguous range.
/// @param counts  [sources]
/// @throws usage_error  (when run) the range is too short
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective allgatherv(Send const& send, Receive&& receive, std::vector<int> const& counts) {
  return detail::allgather_by_counts(elements_of(send), elements_of(receive), counts);
}

} // namespace seam
