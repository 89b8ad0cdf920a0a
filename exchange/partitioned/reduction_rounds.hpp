/// Reductions on complete communicators as schedules: in rounds of which there are as many as the
/// number of processes has bits, operands always in the order of ranks.
#pragma once

#include <seam/exchange/schedule/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <mpi.h>

namespace seam {

/// One process's part in a reduction.
struct reduction_terms {
  elements own;    ///< what the process adds; may be the memory of `result`
  elements result; ///< of no count where there is none
  MPI_Op op = MPI_OP_NULL;
  int rank = 0, size = 1;
};

/// Everybody gets the result, by recursive doubling. Local, as the others.
schedule allreduce_rounds(reduction_terms const& terms);

/// The root gets it, along a binomial tree.
schedule reduce_rounds(reduction_terms const& terms, int root);

/// Rank r gets that of ranks 0 to r, or, exclusively, to r - 1; nothing then arrives at rank 0.
schedule scan_rounds(reduction_terms const& terms, bool exclusive);

/// A byte from everybody to everybody by way of others: a barrier.
schedule barrier_rounds(int rank, int size);

} // namespace seam
