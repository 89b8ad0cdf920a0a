/// Reductions on complete communicators as schedules, with about as many rounds as the number of
/// processes has bits. Operations that do not commute get their operands in the order of ranks.
#pragma once

#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <mpi.h>

namespace seam::detail {

/// The values of one process in a reduction, and its rank.
struct reduction_terms {
  elements own;    ///< the values of the process; may be the memory of `result`
  elements result; ///< of count 0 where there is none
  MPI_Op op = MPI_OP_NULL;
  int rank = 0, size = 1;
};

/// All ranks get the result, by recursive doubling. Local, as the functions below.
schedule allreduce_rounds(reduction_terms const& terms);

/// The root gets the result, along a binomial tree.
schedule reduce_rounds(reduction_terms const& terms, int root);

/// Rank r gets the result of ranks 0 to r, or, if `exclusive`, of ranks 0 to r - 1; nothing then
/// arrives at rank 0.
schedule scan_rounds(reduction_terms const& terms, bool exclusive);

/// A dissemination barrier: each rank sends a byte in each round.
schedule barrier_rounds(int rank, int size);

} // namespace seam::detail
