#include <seam/exchange/communicator/edge_check.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/load_summary.hpp>

#include <fmt/format.h>

#include <optional>

namespace seam::detail {
namespace {

/// The weights of the edges with each process. [num_peers]
std::vector<load_summary> weights_of(std::span<edge const> edges, int num_peers) {
  std::vector<edge_load> weights;
  for (edge const& listed : edges)
    if (!listed.leads_nowhere())
      weights.push_back({listed.rank, listed.weight});
  return summaries_of(weights, num_peers);
}

std::string difference(int from, load_summary const& sent, int to, load_summary const& expected) {
  if (sent.num_edges() == expected.num_edges())
    return fmt::format("graph: rank {} lists edges of weights {} to rank {}, which lists {} from "
                       "there (expected the same at both ends)",
                       from, sent.list(), to, expected.list());
  return fmt::format("graph: rank {} lists {} to rank {}, which lists {} from there (expected the "
                     "same at both ends)",
                     from, sent.count(), to, expected.count());
}

} // namespace

void require_matching_edges(mpi::comm_view over, Topology const& graph) {
  int const size = over.size(), rank = over.rank();
  auto const listed = mpi::alltoall(over, weights_of(graph.destinations(), size));
  auto const expected = weights_of(graph.sources(), size);
  std::optional<error_report> own_error;
  for (int from = size - 1; from >= 0; --from)
    if (listed[from] != expected[from])
      own_error.emplace(difference(from, listed[from], rank, expected[from]));
  agree(over, own_error);
}

} // namespace seam::detail
