/// Reduce-scatter: everybody's values combined, a part of them for each. Without meaning on graphs.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/mpi/op.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

#include <vector>

namespace seam {

/// Combines the values of everybody and leaves block r of the result at rank r.
///
/// @param send     the blocks, one behind the other; MPI_IN_PLACE takes those in `receive`
/// @param receive  one block
/// Complete and bipartite communicators only: [Traeff2021] sec. 2 leaves it undefined on graphs.
/// All blocks together may have more elements than an int counts on complete ones.
collective reduce_scatter_block(elements const& send, elements const& receive, MPI_Op op);

/// The same with blocks of counts[r] elements.
/// @param counts  [size], the same on all ranks
collective reduce_scatter(elements const& send, elements const& receive,
                          std::vector<int> const& counts, MPI_Op op);

namespace detail {

/// reduce_scatter_block of blocks that together are `send`.
collective reduce_scatter_of_all(elements const& send, elements const& receive, MPI_Op op);

/// reduce_scatter of all elements of `send`.
collective reduce_scatter_of_all(elements const& send, elements const& receive,
                                 std::vector<int> const& counts, MPI_Op op);

} // namespace detail

/// The same for contiguous ranges of one type; `how` as for reduce().
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
