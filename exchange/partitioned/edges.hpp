/// Partitioned collectives that are bundles of edges: a channel for each edge that carries data.
#pragma once

#include <seam/exchange/partitioned/buffer.hpp>
#include <seam/exchange/partitioned/in_place_block.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/settings.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

#include <functional>
#include <string>
#include <vector>

namespace seam {

/// What leaves along an edge, or arrives along it.
struct edge_end {
  int edge; ///< index among the destinations, or the sources
  partitioned_buffer buffer;
  bool leads_nowhere = false; ///< keeps its place in the numbering of partitions, and no data moves
};

/// Both ends of a block that leaves from where another one arrives.
struct in_place_edge {
  int edge; ///< index among the destinations, and among the sources
  partitioned_buffer block;
  in_place_staging staging; ///< where the ends of the edge are
};

/// A partitioned collective as its edges, in their order.
struct edge_bundle {
  std::vector<edge_end> leaving, arriving;
  std::vector<in_place_edge> in_place{};
  bool for_all = false; ///< the same partitions leave along all edges
};

/// A collective's call, as all ranks make it.
struct partitioned_call {
  char const* name;    ///< as errors say it: "pgather_init"
  std::string terms{}; ///< what else all ranks give alike: "root 2"
  partitioned_settings settings{};
  bool along_edges = true; ///< false: has a meaning on complete communicators alone
};

/// The root among the terms of a call; nothing on bipartite communicators, where it has another
/// name on its own side. Local.
std::string words_of_root(Communicator const& over, int root);

/// Makes the operation: channels, and copies for edges from the process to itself.
///
/// @param plan  finds this process's edges
/// @throws usage_error  the plan does, terms differ, or the ends of an edge differ in bytes (the
///                      same on all ranks)
/// Collective: over `over`.
partitioned_operation make_bundle(Communicator const& over, partitioned_call const& call,
                                  std::function<edge_bundle(collective_edges const&)> const& plan);

/// Refuses what has no meaning on the topology of `over`, and calls that differ: the same on all
/// ranks. Collective: over `over`.
void check_call(Communicator const& over, partitioned_call const& call);

/// Refuses, on all ranks, ends of edges between the sides of a bipartite communicator that do not
/// fit together, as of roots that differ: nobody may wait for them. Collective: over `over`.
void require_edges_between_sides(Communicator const& over, char const* name,
                                 edge_bundle const& bundle);

/// Blocks that lie one behind the other, from `first` on. Local.
std::vector<partitioned_buffer> blocks_from(partitioned_buffer const& first, std::size_t count);

/// In place of a buffer to send: take it from where it is received, as MPI_IN_PLACE says.
inline bool is_in_place(partitioned_buffer const& what) { return what.data == MPI_IN_PLACE; }

} // namespace seam
