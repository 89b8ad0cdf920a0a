/// Reduce and allreduce: combine values of processes element by element.
///
///     run(world, allreduce(in, out, std::plus<>()));   // out[i] = sum of in[i] over all ranks
///
/// As in all reductions of seam, MPI_MIN and MPI_MAX compare unsigned values as unsigned, also
/// those of MPI_UNSIGNED_LONG, which Open MPI 4.1 compares as signed.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/mpi/detail/op.hpp>

namespace seam {

/// Combines the values of all processes at the root. On a graph: one value for each edge that ends
/// at the root, in the order of its sources, whether `op` commutes or not. A root without
/// in-neighbors gets the operation's neutral element if there is one (all of MPI's but minloc,
/// maxloc and replace have one); otherwise its elements stay unchanged.
///
/// @param send     this process's values; at the root MPI_IN_PLACE takes those in `receive`
/// @param receive  at the root as many elements; they, the datatype and `op` outlive the operation
/// @param root     the same on all ranks; on bipartite communicators as in MPI (see planning/detail/edges.hpp)
/// Source: [Traeff2021] sec. 2.
collective reduce(elements const& send, elements const& receive, MPI_Op op, int root);

/// Combines the values of all processes on each of them. On a graph each process combines the
/// values of its sources, as the root does in reduce().
///
/// @param send  MPI_IN_PLACE takes the values in `receive`
/// Source: [Traeff2021] sec. 2 and 3.4.
collective allreduce(elements const& send, elements const& receive, MPI_Op op);

/// Reductions of contiguous ranges of one type and length.
/// @param how  std::plus and its like, smaller or larger, an MPI_Op, or an associative function
///             object without captures
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
