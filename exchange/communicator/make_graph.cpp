#include <seam/exchange/communicator/communicator.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/communicator_state.hpp>
#include <seam/exchange/communicator/load_summary.hpp>
#include <seam/exchange/communicator/native_graph.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

namespace {

void check_edges(std::span<edge const> edges, char const* direction, int size) {
  for (edge const& listed : edges) {
    if (!listed.leads_nowhere() && (listed.rank < 0 || listed.rank >= size))
      refuse(fmt::format("graph: {} {} is no rank of the communicator (expected 0 to {})",
                         direction, listed.rank, size - 1));
    if (listed.weight < 0)
      refuse(fmt::format("graph: weight {} of the edge to {} {} (expected 0 or more)",
                         listed.weight, direction, listed.rank));
  }
}

} // namespace

void check_graph(Communicator const& over, Topology const& topology) {
  collectively(over, [&] {
    if (over.topology().is_bipartite())
      refuse("graph: a bipartite communicator (expected one whose processes are one group)");
    if (!topology.is_graph())
      refuse("graph: the topology has no edges to build from (expected Topology::graph)");
    check_edges(topology.sources(), "source", over.size());
    check_edges(topology.destinations(), "destination", over.size());
  });
  if (checks_are_on())
    require_matching_edges(over.context(), topology);
}

Communicator make_graph(Communicator const& over, Topology const& topology,
                        std::shared_ptr<cartesian_structure const> structure) {
  call_scope const here("make_graph");
  check_graph(over, topology);
  Communicator graph =
      Communicator::from_native(make_native_graph(over, topology, std::move(structure)).release());
  graph.state_->node = over.state_->node;
  return graph;
}

} // namespace seam
