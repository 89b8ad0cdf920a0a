#include <seam/mapping/gathered_graph.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <limits>
#include <numeric>

namespace seam::detail {
namespace {

constexpr int root = 0;

/// The begin of each list, and the end of the last one.
std::vector<int> starts_of(std::vector<int> const& counts) {
  auto const total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (total > std::numeric_limits<int>::max())
    refuse(fmt::format("reordering: a graph of {} edges (expected fewer than 2^31)", total));
  std::vector<int> firsts(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), firsts.begin() + 1);
  return firsts;
}

} // namespace

weighted_graph gather_graph(mpi::comm_view over, Topology const& topology) {
  std::vector<int> ranks, weights;
  for (edge const& listed : topology.destinations())
    if (!listed.leads_nowhere()) {
      ranks.push_back(listed.rank);
      weights.push_back(listed.weight);
    }
  auto const counts = mpi::gather(over, static_cast<int>(ranks.size()), root);
  auto firsts = collectively(over, [&] { return starts_of(counts); });
  auto all_ranks = mpi::gather(over, ranks, firsts, root);
  auto const all_weights = mpi::gather(over, weights, firsts, root);
  return {std::move(firsts), std::move(all_ranks), {all_weights.begin(), all_weights.end()}};
}

} // namespace seam::detail
