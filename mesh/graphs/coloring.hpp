/// Colorings of distributed graphs: neighbors never have the same color, so that all nodes of one
/// color can be processed at the same time; and independent sets, of which colorings consist.
///
///     auto const colors = color_graph(mesh.base(), dual_graph(mesh));      // of own cells
///     auto const turn = color_graph(mesh.base(), part_graph(mesh)).front(); // of this rank
#pragma once

#include <seam/mesh/graphs/distributed_graph.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam {

/// The color of each own node, from 0. [graph.num_nodes()]
///
/// Color 0 is a maximal independent set of all nodes, each further color a maximal independent set
/// of the nodes that are left. With at most n neighbors of a node there are at most n + 1 colors.
/// The result depends only on the graph, its ids and `seed`, not on ranks.
/// @throws usage_error  as independent_set()
/// Collective: over `over`.
/// Cost: that of an independent_set() for each color.
/// Source: [Ibanez2015] sec. 5.1; differs in that ranks have any number of nodes.
std::vector<int> color_graph(Communicator const& over, distributed_graph const& graph,
                             std::uint64_t seed = 0);

/// Whether all nodes have a color of at least 0 that none of their neighbors has. The same on all
/// ranks.
/// @param colors        [graph.num_nodes()]
/// @throws usage_error  as color_graph()
/// Collective: over `over`.
bool is_proper_coloring(Communicator const& over, distributed_graph const& graph,
                        std::span<int const> colors);

/// The number of nodes of each color on all ranks.
/// @throws usage_error  a color below 0 (on all ranks)
/// Collective: over `over`.
std::vector<std::int64_t> count_colors(Communicator const& over, std::span<int const> colors);

/// A maximal independent set: no two of its nodes are neighbors, and every other node has a
/// neighbor in it. [graph.num_nodes()] 1: in the set, 0: not
///
///     auto const is_in = independent_set(mesh.base(), dual_graph(mesh));
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
