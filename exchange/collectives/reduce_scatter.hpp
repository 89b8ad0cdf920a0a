/// Reduce-scatter: combines the values of all processes, and leaves one block of the result on
/// each. Not defined on graphs.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/mpi/detail/op.hpp>

#include <vector>

namespace seam {

/// Combines the values of all processes and leaves block r of the result on rank r.
///
/// Complete and bipartite communicators only: [Traeff2021] sec. 2 leaves it undefined on graphs. On
/// complete ones all blocks together may have more elements than an int counts. On bipartite ones
/// each side gets the blocks of the other side's combined values, which are as many on both.
///
/// @param send     contiguous blocks; MPI_IN_PLACE takes those in `receive`
/// @param receive  one block
collective reduce_scatter_block(elements const& send, elements const& receive, MPI_Op op);

/// Reduce-scatter with blocks of counts[r] elements.
/// @param counts  [size], the same on all ranks, or on all of one side
collective reduce_scatter(elements const& send, elements const& receive,
                          std::vector<int> const& counts, MPI_Op op);

namespace detail {

/// Makes a reduce_scatter_block of equal blocks that fill `send`.
collective reduce_scatter_of_all(elements const& send, elements const& receive, MPI_Op op);

/// Makes a reduce_scatter of all elements of `send`.
collective reduce_scatter_of_all(elements const& send, elements const& receive,
                                 std::vector<int> const& counts, MPI_Op op);

} // namespace detail

/// Reduce-scatters of contiguous ranges of one type; `how` as for reduce().
///
/// @throws usage_error  (when run) a range is not as long as its blocks
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive, class F>
collective reduce_scatter_block(Send const& send, Receive&& receive, F how) {
  return detail::reduce_scatter_of_all(elements_of(send), elements_of(receive),
                                       mpi::op_of<std::ranges::range_value_t<Receive>>(how));
}
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive, class F>
collective reduce_scatter(Send const& send, Receive&& receive, std::vector<int> const& counts,
                          F how) {
  return detail::reduce_scatter_of_all(elements_of(send), elements_of(receive), counts,
                                       mpi::op_of<std::ranges::range_value_t<Receive>>(how));
}

} // namespace seam
