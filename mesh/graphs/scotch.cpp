#include <seam/mesh/graphs/partition_mesh.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mapping/strategies/scotch.hpp>

#include <fmt/format.h>

#include <cmath>

namespace seam {
using namespace detail;

namespace {

using detail::home_of_ids;

void check(distributed_graph const& graph, int num_parts, std::span<double const> weights) {
  if (num_parts < 1)
    refuse(fmt::format("partition: {} parts (expected at least 1)", num_parts));
  if (!weights.empty() && std::ssize(weights) != graph.num_nodes())
    refuse(fmt::format("partition: {} weights (expected one for each of {} nodes, or none)",
                       weights.size(), graph.num_nodes()));
  for (double const weight : weights)
    if (!(weight >= 0) || !std::isfinite(weight))
      refuse(fmt::format("partition: weight {} (expected a finite one of at least 0)", weight));
}

/// Integers in proportion to the weights of all ranks; none if all weights are 0.
std::vector<std::int64_t> in_proportion(Communicator const& over, std::span<double const> weights) {
  constexpr double total = 1 << 29;
  double const largest = weights.empty() ? 0 : std::ranges::max(weights);
  double const scale = mpi::allreduce(over.context(), largest, MPI_MAX);
  double sum = 0; // in units of the largest, so that it stays finite
  for (double const weight : weights)
    sum += scale > 0 ? weight / scale : 0;
  sum = mpi::allreduce(over.context(), sum, MPI_SUM);
  std::vector<std::int64_t> numbers;
  if (scale > 0)
    for (double const weight : weights)
      numbers.push_back(std::max<std::int64_t>(1, std::llround(weight / scale / sum * total)));
  return numbers;
}

/// A node, and an edge, as they are sent to the home of the node.
struct home_node {
  global_id id;
  std::int64_t weight;
};
struct home_edge {
  global_id node, other;

  auto operator<=>(home_edge const&) const = default;
};

std::vector<int> homes_of(std::span<global_id const> ids, home_of_ids const& home) {
  std::vector<int> ranks;
  for (global_id const id : ids)
    ranks.push_back(home(id));
  return ranks;
}

/// Sends nodes to their homes; returns the nodes whose home this rank is, by id.
/// Collective: over `over`.
std::vector<home_node> send_nodes_home(Communicator const& over, distributed_graph const& graph,
                                       std::span<std::int64_t const> weights,
                                       home_of_ids const& home) {
  std::vector<home_node> own;
  for (local_id n = 0; n < graph.num_nodes(); ++n)
    own.push_back({graph.ids[n], weights.empty() ? 1 : weights[n]});
  auto nodes = detail::send_records<home_node>(over, own, homes_of(graph.ids, home)).records;
  std::ranges::sort(nodes, {}, &home_node::id);
  return nodes;
}

/// Sends edges to the homes of their nodes; returns the edges of the nodes whose home this rank is,
/// in the order of the nodes.
/// Collective: over `over`.
std::vector<home_edge> send_edges_home(Communicator const& over, distributed_graph const& graph,
                                       home_of_ids const& home) {
  std::vector<home_edge> own;
  std::vector<int> ranks;
  for (local_id n = 0; n < graph.num_nodes(); ++n)
    for (global_id const other : graph.neighbors(n)) {
      own.push_back({graph.ids[n], other});
      ranks.push_back(home(own.back().node));
    }
  auto edges = detail::send_records<home_edge>(over, own, ranks).records;
  std::ranges::sort(edges);
  return edges;
}

std::int64_t place_in(std::span<home_node const> nodes, global_id id) {
  return std::ranges::lower_bound(nodes, id, {}, &home_node::id) - nodes.begin();
}

/// For each of `ids` the result of value_of(place) at its home, where `place` is its place there.
template <class T, class ValueOf>
std::vector<T> look_up(Communicator const& over, std::span<global_id const> ids,
                       home_of_ids const& home, std::span<home_node const> nodes,
                       ValueOf value_of) {
  return detail::ask<T, global_id>(over, ids, homes_of(ids, home),
                                   [&](detail::received<global_id> const& asked) {
                                     std::vector<T> answers;
                                     for (global_id const id : asked.records)
                                       answers.push_back(value_of(place_in(nodes, id)));
                                     return answers;
                                   });
}

/// The first edge of each node, and the end. [nodes.size() + 1]
std::vector<std::int64_t> rows_of(std::span<home_node const> nodes,
                                  std::span<home_edge const> edges) {
  std::vector<std::int64_t> rows{0};
  auto next = edges.begin();
  for (home_node const& node : nodes) {
    while (next != edges.end() && next->node == node.id)
      ++next;
    rows.push_back(next - edges.begin());
  }
  return rows;
}

} // namespace

std::vector<int> partition_by_scotch(Communicator const& over, distributed_graph const& graph,
                                     int num_parts, std::span<double const> weights) {
  detail::call_scope const here("partition_by_scotch");
  require_same(over.context(), "partition: number of parts", fmt::format("{}", num_parts));
  collectively(over.context(), [&] { check(graph, num_parts, weights); });
  global_id const own_largest = graph.ids.empty() ? 0 : std::ranges::max(graph.ids);
  home_of_ids const home(over.size(), mpi::allreduce(over.context(), own_largest, MPI_MAX));
  auto const nodes = send_nodes_home(over, graph, in_proportion(over, weights), home);
  auto const edges = send_edges_home(over, graph, home);
  std::vector<global_id> others;
  for (home_edge const& listed : edges)
    others.push_back(listed.other);
  std::int64_t const first = mpi::sum_before(over.context(), std::ssize(nodes));
  auto const numbers = look_up<std::int64_t>(over, others, home, nodes,
                                             [&](std::int64_t place) { return first + place; });
  std::vector<std::int64_t> node_weights;
  for (home_node const& node : nodes)
    node_weights.push_back(node.weight);
  std::vector<int> const equal_sizes(num_parts, 1);
  auto const parts = parts_by_scotch(over.context(),
                                     {.vertices2edges = rows_of(nodes, edges),
                                      .edges2vertices = numbers,
                                      .vertex_weights = node_weights,
                                      .edge_weights = {}},
                                     equal_sizes);
  return look_up<int>(over, graph.ids, home, nodes,
                      [&](std::int64_t place) { return parts[place]; });
}

} // namespace seam
