/// Scans: the values of the ranks up to one's own, combined. Without meaning on graphs and
/// bipartite communicators.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/mpi/op.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

namespace seam {

/// The values of ranks 0 to r, combined, at rank r.
///
/// @param send     MPI_IN_PLACE takes the values in `receive`
/// @param receive  as many elements, also more than an int counts
/// Complete communicators only: [Traeff2021] sec. 2 leaves scans undefined elsewhere.
collective scan(elements const& send, elements const& receive, MPI_Op op);

/// The values of ranks 0 to r - 1; what rank 0 receives is undefined, as in MPI.
collective exscan(elements const& send, elements const& receive, MPI_Op op);

/// The same for contiguous ranges of one type and length (see reduce.hpp for `how`).
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive, class F>
collective scan(Send const& send, Receive&& receive, F how) {
  return scan(elements_of(send), elements_of(receive),
              mpi::op_of<std::ranges::range_value_t<Receive>>(how));
}
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive, class F>
collective exscan(Send const& send, Receive&& receive, F how) {
  return exscan(elements_of(send), elements_of(receive),
                mpi::op_of<std::ranges::range_value_t<Receive>>(how));
}

} // namespace seam
