#include <seam/exchange/partitioned/collectives.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/edges.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace seam {
namespace {

using buffers = std::vector<partitioned_buffer>;

int rank_of(std::span<edge const> edges, int e) { return edges[static_cast<std::size_t>(e)].rank; }

/// Gives a process that sends the same to all its partitions to mark also where it has no edges.
void keep_partitions(edge_bundle& bundle, partitioned_buffer const& buffer) {
  if (bundle.leaving.empty())
    bundle.leaving.push_back({part_end::no_edge, {nullptr, buffer.partitions, 0, MPI_BYTE}, true});
}

edge_bundle plan_bcast(collective_edges const& over, partitioned_buffer const& buffer, int root) {
  auto const edges = edges_from_root(over, root);
  edge_bundle made{.leaving = {}, .arriving = {}, .for_all = true};
  // One edge to each process but the root itself: the first of several.
  std::set<int> reached{over.rank};
  for (int e : edges.at_root)
    if (reached.insert(rank_of(over.topology.destinations(), e)).second)
      made.leaving.push_back({e, buffer, false});
  if (edges.is_root)
    keep_partitions(made, buffer);
  else if (!edges.at_leaf.empty())
    made.arriving.push_back({edges.at_leaf.front(), buffer, false});
  return made;
}

/// One end for each of `edges`; the k-th of `blocks` belongs to the k-th edge.
std::vector<edge_end> ends_of(char const* name, std::vector<int> const& edges,
                              buffers const& blocks) {
  if (blocks.size() != edges.size())
    refuse(fmt::format("{}: {} blocks for {} edges (expected one for each)", name, blocks.size(),
                       edges.size()));
  std::vector<edge_end> ends;
  for (std::size_t k = 0; k < edges.size(); ++k)
    ends.push_back({edges[k], blocks[k], false});
  return ends;
}

std::vector<edge_end> same_for_all(std::vector<int> const& edges,
                                   partitioned_buffer const& buffer) {
  return ends_of("", edges, buffers(edges.size(), buffer));
}

edge_bundle plan_gather(collective_edges const& over, partitioned_buffer const& send,
                        buffers const& receives, int root) {
  auto const edges = edges_to_root(over, root);
  if (is_in_place(send) && !edges.is_root)
    refuse("pgather_init: MPI_IN_PLACE at a process that is not the root (expected a block)");
  edge_bundle made{.leaving = {}, .arriving = {}, .for_all = true};
  if (!is_in_place(send)) {
    made.leaving = same_for_all(edges.at_leaf, send);
    if (over.rank != MPI_PROC_NULL) // bipartite: a process without edges sends nothing
      keep_partitions(made, send);
  }
  if (edges.is_root)
    made.arriving = ends_of("pgather_init", edges.at_root, receives);
  return made;
}

edge_bundle plan_scatter(collective_edges const& over, buffers const& sends,
                         partitioned_buffer const& receive, int root) {
  auto const edges = edges_from_root(over, root);
  if (is_in_place(receive) && !edges.is_root)
    refuse("pscatter_init: MPI_IN_PLACE at a process that is not the root (expected room)");
  edge_bundle made;
  if (!is_in_place(receive) && !edges.at_leaf.empty())
    made.arriving.push_back({edges.at_leaf.back(), receive, false});
  if (edges.is_root)
    made.leaving = ends_of("pscatter_init", edges.at_root, sends);
  // Where several edges lead to one process, it gets the block of the last edge.
  std::set<int> reached;
  for (std::size_t k = made.leaving.size(); k-- > 0;)
    made.leaving[k].leads_nowhere =
        !reached.insert(rank_of(over.topology.destinations(), made.leaving[k].edge)).second;
  return made;
}

/// The block that a process sends: `send`, or its own block among those that it receives.
partitioned_buffer block_to_send(collective_edges const& over, partitioned_buffer const& send,
                                 buffers const& receives) {
  auto const sources = over.topology.sources();
  for (std::size_t e = 0; is_in_place(send) && e < sources.size(); ++e)
    if (sources[e].rank == over.rank)
      return receives[e];
  if (is_in_place(send))
    refuse("pallgather_init: MPI_IN_PLACE without an edge from the process to itself (expected "
           "one, where its block lies)");
  return send;
}

edge_bundle plan_allgather(collective_edges const& over, partitioned_buffer const& send,
                           buffers const& receives) {
  edge_bundle made{.leaving = {}, .arriving = {}, .for_all = true};
  made.arriving = ends_of("pallgather_init", indices_of(over.topology.sources()), receives);
  auto const values = block_to_send(over, send, receives);
  made.leaving = same_for_all(indices_of(over.topology.destinations()), values);
  keep_partitions(made, values);
  return made;
}

/// Sends block e along edge e to a destination; the block that comes along source e overwrites it.
edge_bundle plan_alltoall_in_place(collective_edges const& over, buffers const& blocks) {
  if (over.rank == MPI_PROC_NULL)
    refuse("palltoall_init: MPI_IN_PLACE between two sides (expected values)");
  auto const destinations = over.topology.destinations(), sources = over.topology.sources();
  if (!std::ranges::equal(destinations, sources, {}, &edge::rank, &edge::rank))
    refuse("palltoall_init: MPI_IN_PLACE where a block would go to another process than its "
           "successor comes from (expected the same destinations as sources, in the same order)");
  edge_bundle made;
  made.leaving = ends_of("palltoall_init", indices_of(destinations), blocks);
  made.arriving = ends_of("palltoall_init", indices_of(sources), blocks);
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    check_buffer("palltoall_init", blocks[e]);
    if (destinations[e].rank == over.rank || destinations[e].leads_nowhere())
      continue;
    in_place_staging const staging(blocks[e]);
    made.leaving[e].buffer = staging.leaving;
    made.arriving[e].buffer = staging.arriving;
    made.in_place.push_back({static_cast<int>(e), blocks[e], staging});
  }
  return made;
}

edge_bundle plan_alltoall(collective_edges const& over, buffers const& sends,
                          buffers const& receives) {
  if (!sends.empty() &&
      std::ranges::all_of(sends, [](auto const& block) { return is_in_place(block); }))
    return plan_alltoall_in_place(over, receives);
  edge_bundle made;
  made.leaving = ends_of("palltoall_init", indices_of(over.topology.destinations()), sends);
  made.arriving = ends_of("palltoall_init", indices_of(over.topology.sources()), receives);
  return made;
}

buffers blocks_for(std::span<edge const> edges, partitioned_buffer const& first) {
  return is_in_place(first) ? buffers(edges.size(), first) : blocks_from(first, edges.size());
}

} // namespace

partitioned_operation pbcast_init(Communicator const& over, partitioned_buffer const& buffer,
                                  int root, partitioned_settings const& settings) {
  return make_bundle(over, {"pbcast_init", words_of_root(over, root), settings},
                     [&](collective_edges const& edges) {
                       return plan_bcast(edges, buffer, root);
                     });
}

partitioned_operation pgather_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, int root,
                                   partitioned_settings const& settings) {
  return make_bundle(over, {"pgather_init", words_of_root(over, root), settings},
                     [&](collective_edges const& edges) {
                       auto const at_root = edges_to_root(edges, root).at_root.size();
                       return plan_gather(edges, send, blocks_from(receive, at_root), root);
                     });
}

partitioned_operation pgatherw_init(Communicator const& over, partitioned_buffer const& send,
                                    buffers const& receives, int root,
                                    partitioned_settings const& settings) {
  return make_bundle(over, {"pgatherw_init", words_of_root(over, root), settings},
                     [&](collective_edges const& edges) {
                       return plan_gather(edges, send, receives, root);
                     });
}

partitioned_operation pscatter_init(Communicator const& over, partitioned_buffer const& send,
                                    partitioned_buffer const& receive, int root,
                                    partitioned_settings const& settings) {
  return make_bundle(over, {"pscatter_init", words_of_root(over, root), settings},
                     [&](collective_edges const& edges) {
                       auto const at_root = edges_from_root(edges, root).at_root.size();
                       return plan_scatter(edges, blocks_from(send, at_root), receive, root);
                     });
}

partitioned_operation pscatterw_init(Communicator const& over, buffers const& sends,
                                     partitioned_buffer const& receive, int root,
                                     partitioned_settings const& settings) {
  return make_bundle(over, {"pscatterw_init", words_of_root(over, root), settings},
                     [&](collective_edges const& edges) {
                       return plan_scatter(edges, sends, receive, root);
                     });
}

partitioned_operation pallgather_init(Communicator const& over, partitioned_buffer const& send,
                                      partitioned_buffer const& receive,
                                      partitioned_settings const& settings) {
  return make_bundle(over, {"pallgather_init", "", settings}, [&](collective_edges const& edges) {
    return plan_allgather(edges, send, blocks_for(edges.topology.sources(), receive));
  });
}

partitioned_operation pallgatherw_init(Communicator const& over, partitioned_buffer const& send,
                                       buffers const& receives,
                                       partitioned_settings const& settings) {
  return make_bundle(over, {"pallgatherw_init", "", settings}, [&](collective_edges const& edges) {
    return plan_allgather(edges, send, receives);
  });
}

partitioned_operation palltoall_init(Communicator const& over, partitioned_buffer const& send,
                                     partitioned_buffer const& receive,
                                     partitioned_settings const& settings) {
  return make_bundle(over, {"palltoall_init", "", settings}, [&](collective_edges const& edges) {
    return plan_alltoall(edges, blocks_for(edges.topology.destinations(), send),
                         blocks_for(edges.topology.sources(), receive));
  });
}

partitioned_operation palltoallw_init(Communicator const& over, buffers const& sends,
                                      buffers const& receives,
                                      partitioned_settings const& settings) {
  return make_bundle(over, {"palltoallw_init", "", settings}, [&](collective_edges const& edges) {
    return plan_alltoall(edges, sends, receives);
  });
}

} // namespace seam
