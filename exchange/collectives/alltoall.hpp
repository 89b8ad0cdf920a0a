/// Alltoall: every process sends a different block to each process, or along each outgoing edge.
///
///     run(world, alltoall(out, in));   // block s of `in` on rank r is block r of `out` on rank s
#pragma once

#include <seam/exchange/calls/collective.hpp>

#include <vector>

namespace seam {

/// Each destination gets a block of its own. On a graph block e of `send` leaves along destination
/// e and block e of `receive` arrives along source e, in the order of the edges.
///
/// On a Cartesian graph messages are combined where it pays. Only prepare() combines messages of an
/// exchange in place, and messages where a process has no edges in or out.
///
/// @param send     the first of the blocks, which are contiguous; or MPI_IN_PLACE, which takes the
///                 blocks of `receive` (on a graph: as many destinations as sources)
/// @param receive  the first of the blocks
/// Source: [Traeff2021] sec. 2 (MPI_Alltoall as MPI_Neighbor_alltoall).
collective alltoall(elements const& send, elements const& receive);

/// Alltoall with blocks of any address, length and datatype.
///
/// On a Cartesian graph prepare() compares whether blocks along equal vectors are equally long on
/// all ranks, and then combines messages where it pays; run() and start() send directly.
///
/// @param sends     [destinations], or empty for MPI_IN_PLACE; sends[e] has as many bytes as the
///                  peer of the edge receives
/// @param receives  [sources]
/// Source: [Traeff2021] sec. 2 (MPI_Alltoallv and MPI_Alltoallw).
collective alltoallw(std::vector<elements> sends, std::vector<elements> receives);

namespace detail {

/// Makes an alltoall of equal blocks that fill `send` and `receive`.
collective alltoall_of_all(elements const& send, elements const& receive);

/// Makes an alltoallw of contiguous blocks of counts elements in `send` and in `receive`.
collective alltoall_by_counts(elements const& send, std::vector<int> const& send_counts,
                              elements const& receive, std::vector<int> const& receive_counts);

} // namespace detail

/// Alltoall of equal blocks that fill two contiguous ranges of one type. As alltoall() above.
///
/// @throws usage_error  (when run) the lengths are no multiples of the numbers of edges
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective alltoall(Send const& send, Receive&& receive) {
  return detail::alltoall_of_all(elements_of(send), elements_of(receive));
}

/// Alltoall of contiguous blocks of counts elements in two ranges.
///
/// @param send_counts, receive_counts  [destinations], [sources]
/// @throws usage_error  (when run) a range is too short
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective alltoallv(Send const& send, std::vector<int> const& send_counts, Receive&& receive,
                     std::vector<int> const& receive_counts) {
  return detail::alltoall_by_counts(elements_of(send), send_counts, elements_of(receive),
                                    receive_counts);
}

} // namespace seam
