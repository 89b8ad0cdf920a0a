/// Reordering: communicators whose ranks are placed so that neighbors are close on the machine.
///
///     auto [grid, report] = reorder(world, naming, von_neumann(1));
///     print(world, "{}\n", to_string(report));     // "best strips: node 4704/96 to 1224/30, ..."
///     auto graph = make_named_graph(grid, make_topology(naming, grid.rank(), von_neumann(1)));
///
/// A rank keeps its name, its neighbors and the order of its edges; the process that has the rank
/// changes. Data belongs to ranks of the new communicator, and so is made after it.
///
/// The environment variable SEAM_REORDERING names the strategy of all reorderings whose program
/// leaves it open: "identity" turns them off, "random" reveals programs that rely on an order.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mapping/cartesian_naming.hpp>
#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/neighborhood.hpp>
#include <seam/mapping/placement.hpp>

#include <optional>
#include <string>

namespace seam {

/// How to reorder; the same on all ranks.
struct reordering {
  /// One of mapping_strategies(); or "pt-scotch", by which all ranks plan together and none holds
  /// the graph; or "automatic": the strategy that SEAM_REORDERING names, else "best" if the machine
  /// has several nodes and "identity" if it has one.
  std::string strategy = "automatic";

  /// The placement of the communicator's ranks; gathered if not given.
  std::optional<placement> placed = std::nullopt;
};

/// The volumes before and after a reordering, the same on all ranks.
struct reordering_report {
  std::string machine;        ///< as parse_machine() reads it
  std::string strategy;       ///< that found the order
  mapping_cost before, after; ///< volumes between the parts of each level, in weights of edges
  int num_moved = 0;          ///< ranks that another process has now
  double seconds = 0;         ///< duration of the whole reordering, on the slowest rank [s]
};

/// "guillotine: node 4704/96 to 1204/28; 2352 of 2400 ranks moved in 1.8 ms": sums and worst parts.
std::string to_string(reordering_report const& report);

/// A communicator in its new order, and the report of its reordering.
struct reordered_communicator {
  Communicator comm;
  reordering_report report;
};

/// Reorders the processes of `over`, fully connected, so that processes named by `naming` with the
/// neighborhood `around` send little between nodes, and little within them. The result is named.
///
/// @param naming  for the ranks of the result
/// @param around  the same for all processes; weights should be the volumes along the offsets
/// @throws usage_error  the naming is for another number of processes, the strategy is unknown or
///                      does not fit, or SEAM_MACHINE is malformed (on all ranks)
/// Collective: over `over`. Rank 0 plans, see map_ranks().
reordered_communicator reorder(Communicator const& over, CartesianNaming const& naming,
                               neighborhood const& around, reordering const& how = {});

/// Makes a graph communicator in which rank k has the edges that rank k of `over` gives, in the
/// same order, and chooses the process of each rank. If `over` is named the result is, too; whether
/// it is Cartesian is found out as by make_named_graph(), and helps the strategies.
///
/// @param topology  this process's edges; ranks are those of `over`
/// @throws usage_error  the topology is no graph, the strategy is unknown or does not fit, or
///                      SEAM_MACHINE is malformed (on all ranks)
/// Collective: over `over`. Irregular graphs are gathered on rank 0, which plans; unless the
/// strategy is "pt-scotch".
reordered_communicator make_reordered_graph(Communicator const& over, Topology const& topology,
                                            reordering const& how = {});

} // namespace seam
