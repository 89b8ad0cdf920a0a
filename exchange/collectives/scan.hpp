/// Scans: combine the values of all ranks up to the caller's, on complete communicators.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/mpi/detail/op.hpp>

namespace seam {

/// Combines the values of ranks 0 to r on rank r.
///
/// Complete communicators only: [Traeff2021] sec. 2 leaves scans undefined elsewhere.
///
/// @param send     MPI_IN_PLACE takes the values in `receive`
/// @param receive  as many elements, also more than an int counts
collective scan(elements const& send, elements const& receive, MPI_Op op);

/// Combines the values of ranks 0 to r - 1 on rank r; the result on rank 0 is undefined, as in MPI.
collective exscan(elements const& send, elements const& receive, MPI_Op op);

/// Scans of contiguous ranges of one type and length; `how` as for reduce().
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
