#include <seam/mapping/gathered_graph.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/reported_call.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <limits>
#include <numeric>

namespace seam {
namespace {

constexpr int root = 0;

/// The number of each rank on the root, nothing on other ranks.
/// Collective: over `over`.
std::vector<int> gather_counts(mpi::comm_view over, int own) {
  std::vector<int> counts(over.rank() == root ? over.size() : 0);
  mpi::reported_call const now(over, "MPI_Gather");
  mpi::check(MPI_Gather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, root, over.native()),
             "MPI_Gather");
  return counts;
}

/// The lists of all ranks on the root, one after the other.
/// Collective: over `over`.
std::vector<int> gather_lists(mpi::comm_view over, std::vector<int> const& own,
                              std::vector<int> const& counts, std::vector<int> const& firsts) {
  std::vector<int> all(over.rank() == root ? firsts.back() : 0);
  mpi::reported_call const now(over, "MPI_Gatherv");
  mpi::check(MPI_Gatherv(own.data(), static_cast<int>(own.size()), MPI_INT, all.data(),
                         counts.data(), firsts.data(), MPI_INT, root, over.native()),
             "MPI_Gatherv");
  return all;
}

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
  auto const counts = gather_counts(over, static_cast<int>(ranks.size()));
  auto firsts = collectively(over, [&] { return starts_of(counts); });
  auto all_ranks = gather_lists(over, ranks, counts, firsts);
  auto const all_weights = gather_lists(over, weights, counts, firsts);
  return {std::move(firsts), std::move(all_ranks), {all_weights.begin(), all_weights.end()}};
}

} // namespace seam
