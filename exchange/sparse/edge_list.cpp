#include <seam/exchange/sparse/edge_list.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

namespace {

/// One end of an edge, as it is sent to the process at that end.
struct sent_end {
  int is_source;
  edge other;
};

void check(std::span<listed_edge const> edges, int size) {
  auto const is_rank = [&](int end) { return end >= 0 && end < size; };
  for (listed_edge const& listed : edges) {
    if (!is_rank(listed.source) || !is_rank(listed.destination))
      refuse(fmt::format("graph: an edge from {} to {} (expected ranks 0 to {})", listed.source,
                         listed.destination, size - 1));
    if (listed.weight < 0)
      refuse(fmt::format("graph: weight {} of the edge from {} to {} (expected 0 or more)",
                         listed.weight, listed.source, listed.destination));
  }
}

} // namespace

Topology topology_from(Communicator const& over, std::span<listed_edge const> edges) {
  collectively(over.context(), [&] { check(edges, over.size()); });
  SparseExchange exchange(over);
  for (listed_edge const& listed : edges) {
    exchange.pack(listed.source, sent_end{1, {listed.destination, listed.weight}});
    exchange.pack(listed.destination, sent_end{0, {listed.source, listed.weight}});
  }
  exchange.exchange();
  std::vector<edge> sources, destinations;
  while (exchange.receive()) {
    auto const end = exchange.unpack<sent_end>();
    (end.is_source != 0 ? destinations : sources).push_back(end.other);
  }
  return Topology::graph(std::move(sources), std::move(destinations));
}

} // namespace seam
