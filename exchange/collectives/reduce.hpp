/// Reduce and allreduce: others' values combined.
///
/// As in all reductions, MPI_MIN and MPI_MAX order unsigned values as such, also those of
/// MPI_UNSIGNED_LONG, which Open MPI 4.1 takes for signed.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/mpi/op.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

namespace seam {

/// The values of everybody, combined element by element, for the root. On a graph: of one value for
/// each edge that ends at the root, in the order of its sources, whether `op` commutes or not. A
/// root without in-neighbors gets the operation's neutral element where there is one (all of MPI's
/// but minloc, maxloc and replace); otherwise its elements stay as they are.
///
/// @param send     this process's values; at the root MPI_IN_PLACE takes those in `receive`
/// @param receive  at the root as many elements, which outlive the operation as do type and `op`
/// @param root     the same on all ranks; on bipartite communicators as in MPI (see edges.hpp)
/// Source: [Traeff2021] sec. 2.
collective reduce(elements const& send, elements const& receive, MPI_Op op, int root);

/// The values of everybody, combined element by element, for everybody. On a graph: for each
/// process those of its sources, as reduce() does for the root.
///
/// @param send  MPI_IN_PLACE takes the values in `receive`
/// Source: [Traeff2021] sec. 2 and 3.4.
collective allreduce(elements const& send, elements const& receive, MPI_Op op);

/// The same for contiguous ranges of one type and length. `how` is std::plus and its like, smaller
/// or larger, an MPI_Op, or a function object without captures that is associative.
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive, class F>
collective reduce(Send const& send, Receive&& receive, F how, int root) {
  return reduce(elements_of(send), elements_of(receive),
                mpi::op_of<std::ranges::range_value_t<Receive>>(how), root);
}
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive, class F>
collective allreduce(Send const& send, Receive&& receive, F how) {
  return allreduce(elements_of(send), elements_of(receive),
                   mpi::op_of<std::ranges::range_value_t<Receive>>(how));
}

} // namespace seam
