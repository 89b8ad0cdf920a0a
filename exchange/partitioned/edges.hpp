/// Partitioned collectives as bundles of edges, with a channel for each edge that carries data.
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

/// The buffer that leaves along an edge, or arrives along it.
struct edge_end {
  int edge; ///< index among the destinations, or the sources
  partitioned_buffer buffer;
  bool leads_nowhere = false; ///< its partitions have numbers, and no data moves
};

/// An edge whose block leaves from the memory into which another block arrives.
struct in_place_edge {
  int edge; ///< index among the destinations, and among the sources
  partitioned_buffer block;
  in_place_staging staging; ///< memory of the two ends of the edge
};

/// A partitioned collective as its edges, in their order.
struct edge_bundle {
  std::vector<edge_end> leaving, arriving;
  std::vector<in_place_edge> in_place{};
  bool for_all = false; ///< the same partitions leave along all edges
};

/// The call of a collective, which is the same on all ranks.
struct partitioned_call {
  char const* name;    ///< as error lines name it: "pgather_init"
  std::string terms{}; ///< further arguments that all ranks give alike: "root 2"
  partitioned_settings settings{};
  bool along_edges = true; ///< false: defined on complete communicators alone
};

/// The root as one of the terms of a call; empty on bipartite communicators, where the side of the
/// root names it differently. Local.
std::string words_of_root(Communicator const& over, int root);

/// Makes the operation: channels, and copies for edges from the process to itself.
///
/// @param plan  finds this process's edges
/// @throws usage_error  `plan` throws it, terms differ, or the ends of an edge differ in bytes (the
///                      same on all ranks)
/// Collective: over `over`.
partitioned_operation make_bundle(Communicator const& over, partitioned_call const& call,
                                  std::function<edge_bundle(collective_edges const&)> const& plan);

/// Refuses, on all ranks, a collective that is not defined on the topology of `over`, and calls
/// that differ. Collective: over `over`.
void check_call(Communicator const& over, partitioned_call const& call);

/// Refuses, on all ranks, ends of edges between the sides of a bipartite communicator that do not
/// fit together, for example because roots differ: their processes would wait in vain. Collective:
/// over `over`.
void require_edges_between_sides(Communicator const& over, char const* name,
                                 edge_bundle const& bundle);

/// The `count` blocks that lie one behind the other from `first` on. Local.
std::vector<partitioned_buffer> blocks_from(partitioned_buffer const& first, std::size_t count);

/// True if the block to send is taken from where it is received, as MPI_IN_PLACE says.
inline bool is_in_place(partitioned_buffer const& send) { return send.data == MPI_IN_PLACE; }

} // namespace seam
