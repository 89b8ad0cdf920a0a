/// Placement: the machine under a communicator, and the place of each rank on it.
///
///     placement const here = gather_placement(world);
///     describe(here);                             // a few lines for people
///
/// If the environment variable SEAM_MACHINE gives a synthetic machine, as parse_machine() reads it,
/// its nodes stand in for the real ones: programs and tests run on virtual nodes.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/mapping/machine.hpp>

#include <optional>
#include <string>
#include <vector>

namespace seam {

/// The places that the ranks of a communicator have, one each. A value, the same on all ranks.
///
/// All processes of a node that may run in several parts of a level, because they are bound to none
/// of them, count as one part of that level.
struct placement {
  machine tree;
  std::vector<int> ranks2places;        ///< [num_ranks], a permutation
  std::vector<std::string> nodes2hosts; ///< [num_nodes], host names
  std::vector<int> ranks2bindings;      ///< [num_ranks], numbers in `bindings`
  std::vector<std::string> bindings;    ///< different ones: "package 0 core 3", "no binding"
};

/// Finds the machine under `over`: hwloc's topology of each node and each process's binding, or the
/// machine that SEAM_MACHINE gives.
/// @throws usage_error  SEAM_MACHINE is malformed or has too few places (on all ranks)
/// Collective: over `over`.
/// Cost: milliseconds, the first time. Memory for some 40 bytes of each rank while it gathers, a third of
/// that in the result; host names travel once for each node.
placement gather_placement(mpi::comm_view over);

/// As gather_placement(), but only on rank `root`: others get nothing, and need no memory for it.
/// @throws usage_error  as gather_placement() (on all ranks)
/// Collective: over `over`.
std::optional<placement> gather_placement(mpi::comm_view over, int root);

/// Puts rank k on place k of `tree`, as a batch system fills a machine.
/// @throws usage_error  the tree has fewer than num_ranks places
/// Local.
placement place_in_order(machine const& tree, int num_ranks);

/// The machine, and for each node its host and ranks with their bindings.
std::string describe(placement const& placed);

} // namespace seam
