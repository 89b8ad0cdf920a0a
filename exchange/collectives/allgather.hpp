/// Allgather: every process sends one block to all others, or along all its outgoing edges.
///
///     run(world, allgather(own, all));   // all = block of rank 0, block of rank 1, ...
#pragma once

#include <seam/exchange/calls/collective.hpp>

#include <vector>

namespace seam {

/// Every process receives the blocks of all. On a graph `send` leaves along every destination, and
/// block e of `receive` arrives along source e, in the order of the edges.
///
/// Messages are combined as for alltoall().
///
/// @param send     one block; or MPI_IN_PLACE, which takes the process's own block in `receive`
///                 (on a graph: that of the first edge from the process to itself)
/// @param receive  the first of the blocks, which are contiguous
/// Source: [Traeff2021] sec. 2 (MPI_Allgather as MPI_Neighbor_allgather).
collective allgather(elements const& send, elements const& receive);

/// Allgather with received blocks of any address, length and datatype: MPI_Allgatherv, and the
/// MPI_Allgatherw that MPI lacks. On a Cartesian graph prepare() compares on all ranks whether all
/// blocks are equally long, and then combines messages where it pays; run() and start() do not.
///
/// @param receives  [sources]; receives[e] has as many bytes as the peer of the edge sends
/// Source: [Traeff2021] sec. 2.1.
collective allgatherw(elements const& send, std::vector<elements> receives);

namespace detail {

/// Makes an allgather into equal blocks that fill `receive`.
collective allgather_into_all(elements const& send, elements const& receive);

/// Makes an allgatherw into contiguous blocks of `counts` elements in `receive`.
collective allgather_by_counts(elements const& send, elements const& receive,
                               std::vector<int> const& counts);

} // namespace detail

/// Allgather of equal blocks that fill a contiguous range. As allgather() above.
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective allgather(Send const& send, Receive&& receive) {
  return detail::allgather_into_all(elements_of(send), elements_of(receive));
}

/// Allgather of blocks of counts[e] elements into a contiguous range.
///
/// @param counts  [sources]
/// @throws usage_error  (when run) the range is too short
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective allgatherv(Send const& send, Receive&& receive, std::vector<int> const& counts) {
  return detail::allgather_by_counts(elements_of(send), elements_of(receive), counts);
}

} // namespace seam
