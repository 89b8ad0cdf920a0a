/// Independent sets of distributed graphs, by Luby's algorithm.
///
///     auto const is_in = independent_set(mesh.base(), dual_graph(mesh));
#pragma once

#include <seam/mesh/graphs/distributed_graph.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam {

/// A maximal independent set: no two of its nodes are neighbors, and every other node has a
/// neighbor in it. [graph.num_nodes()] 1: in the set, 0: not
///
/// The set depends only on the graph, its ids and `seed`, not on ranks.
/// @param candidates  [graph.num_nodes()] 0: the node and its edges are left out; or empty: none is
/// @param seed        the same on all ranks
/// @throws usage_error  lengths differ, or the rank of an edge does not have its node (on all
///         ranks)
/// Collective: over `over`.
/// Cost: of the order of log(number of nodes) rounds of two sparse exchanges between neighboring
/// ranks and an allreduce.
/// Source: [Ibanez2015] listing 2 (luby_mis), after M. Luby: A simple parallel algorithm for the
/// maximal independent set problem. SIAM J. Comput., 1986. Differs in that ranks have any number of
/// nodes, that random numbers follow from ids and are not sent, and that only changes are sent.
std::vector<char> independent_set(Communicator const& over, distributed_graph const& graph,
                                  std::span<char const> candidates = {}, std::uint64_t seed = 0);

} // namespace seam
