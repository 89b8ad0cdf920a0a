/// Joint mappings: all ranks compute the mapping together, and none holds the graph.
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/mapping/detail/weighted_graph.hpp>
#include <seam/mapping/placement.hpp>
#include <seam/mapping/rank_mapping.hpp>

namespace seam::detail {

/// The name of the strategy, which mapping_strategies() does not list.
inline constexpr std::string_view joint_strategy = "pt-scotch";

/// Finds nodes for all ranks by PT-Scotch, and places on each node as map_ranks() does. Returns the
/// present places ("identity") where these are no worse. A rank holds the edges within one node at
/// most, and some numbers for each rank.
///
/// @param topology      this rank's edges, whose weights are the same at both ends
/// @throws usage_error  edges differ at their ends (on all ranks)
/// Collective: over `over`, whose ranks sit on `placed`.
rank_mapping map_ranks_jointly(mpi::comm_view over, Topology const& topology,
                               placement const& placed);

/// The edges that leave all processes, on rank 0; an empty graph elsewhere. Edges that lead nowhere
/// are left out.
/// @throws usage_error  there are 2^31 edges or more (on all ranks)
/// Collective: over `over`, whose ranks the edges name.
weighted_graph gather_graph(mpi::comm_view over, Topology const& topology);

} // namespace seam::detail
