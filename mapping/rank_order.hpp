/// Rank order: the new order of a communicator's ranks, and what each process learns of it.
///
///     auto const order = plan_on_root(over, how, strategy, make_problem);
///     permuted(over, order.own);                       // this process's new rank
///     order.report.after;                              // the same on all ranks
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/mapping/placement.hpp>
#include <seam/mapping/rank_mapping.hpp>
#include <seam/mapping/reordering.hpp>

#include <functional>
#include <string>

namespace seam::detail {

/// How a new order of ranks affects this process.
struct rank_change {
  int new_rank;  ///< of this process
  int successor; ///< old rank of the process that has this process's old rank from now on
};

/// The processes of `over`, fully connected, each with its new rank.
/// Collective: over `over`.
/// Cost: an MPI_Comm_split, since MPI libraries ignore their reorder flag.
Communicator permuted(Communicator const& over, rank_change own);

/// Brings each rank's edges to the process that has the rank from now on, in their order.
///
/// @param topology  the edges for this process's rank in `over`
/// Collective: over `over`.
Topology handed_over(mpi::comm_view over, Topology const& topology, rank_change own);

/// A new order of ranks, as one process knows it.
struct planned_order {
  rank_change own;
  reordering_report report; ///< without seconds
};

/// Makes the problem to be solved, once, only on rank 0.
using problem_maker = std::function<mapping_problem(placement const& placed)>;

/// The strategy that `how` or, where it leaves that open, SEAM_REORDERING names; else "automatic".
/// @throws usage_error  ranks differ in `how`, or its placement is for another number of ranks (on all)
/// Collective: over `over`.
std::string strategy_named(mpi::comm_view over, reordering const& how);

/// The order that rank 0 finds by a strategy: it alone knows where all ranks are, and tells each
/// process its part of the order.
/// @throws usage_error  the strategy is unknown or does not fit (on all ranks)
/// Collective: over `over`. Rank 0 needs memory for all ranks during the call, others do not.
planned_order plan_on_root(mpi::comm_view over, reordering const& how, std::string const& strategy,
                           problem_maker const& make_problem);

/// The order that all ranks find together, see map_ranks_jointly().
/// @param topology  this rank's edges
/// Collective: over `over`. Each rank needs some numbers for every rank during the call.
planned_order plan_jointly(mpi::comm_view over, reordering const& how, Topology const& topology);

} // namespace seam::detail
