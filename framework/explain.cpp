#include <seam/framework/explain.hpp>

#include <seam/exchange/mpi/collective.hpp>
#include <seam/exchange/node.hpp>
#include <seam/exchange/shared_memory.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace seam::detail {
namespace {

/// Bytes that leave for each other process, by rank.
std::map<int, std::int64_t> bytes_by_neighbor(plan const& halo, int rank, std::int64_t bytes) {
  std::map<int, std::int64_t> all;
  auto const destinations = halo.topology().destinations();
  for (std::size_t e = 0; e < destinations.size(); ++e)
    if (destinations[e].rank != rank && !destinations[e].leads_nowhere())
      for (region const& where : halo.sends()[static_cast<int>(e)])
        all[destinations[e].rank] += bytes * where.num_elements();
  return all;
}

char const* carrier_of(Communicator const& graph, int peer) {
  bool const near = shared_memory_is_on() && graph.node().local_rank(peer) != node::elsewhere;
  return near ? "the memory of the node" : "messages";
}

std::string list_of_neighbors(Communicator const& graph,
                              std::map<int, std::int64_t> const& neighbors) {
  constexpr std::size_t most = 26;
  std::string text;
  std::size_t listed = 0;
  for (auto const& [peer, bytes] : neighbors) {
    if (listed++ == most)
      return text + "  ...\n";
    text += fmt::format("  rank {}: {} bytes by {}\n", peer, bytes, carrier_of(graph, peer));
  }
  return text;
}

} // namespace

std::string explain(Communicator const& graph, plan const& halo, reordering_report const& mapping,
                    halo_facts const& facts) {
  auto const neighbors = bytes_by_neighbor(halo, graph.rank(), facts.element_bytes);
  std::string text = fmt::format(
      "field {}: {} cells of {} bytes, blocks of about {} on {} processes, ghosts {} wide\n",
      facts.field, fmt::join(facts.cells, "x"), facts.element_bytes, fmt::join(facts.block, "x"),
      fmt::join(facts.processes, "x"), facts.widest_ghosts);
  text += fmt::format("rank {}: {} neighbors, {} bytes for each halo in {} messages\n",
                      graph.rank(), neighbors.size(), facts.bytes, facts.num_messages);
  text += list_of_neighbors(graph, neighbors);
  text += mapping.strategy.empty() ? "mapping: there is nobody to be near to\n"
                                   : fmt::format("mapping: {}\n", to_string(mapping));
  mpi::bcast(graph.context(), text, 0);
  return text;
}

} // namespace seam::detail
