#include <seam/exchange/communicator/load_summary.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace seam::detail {

void load_summary::add(std::int64_t load) {
  if (num_edges_ < most_listed)
    first_[num_edges_] = load;
  ++num_edges_;
  digest_.add(static_cast<std::uint64_t>(load));
}

std::string load_summary::list() const {
  auto const listed = std::min<std::int64_t>(num_edges_, most_listed);
  std::string const text =
      fmt::format("{}", fmt::join(first_.begin(), first_.begin() + listed, ", "));
  return num_edges_ > listed ? text + ", ..." : text;
}

std::string load_summary::count() const {
  if (num_edges_ == 0)
    return "no edges";
  return fmt::format("{} edge{}", num_edges_, num_edges_ == 1 ? "" : "s");
}

std::vector<load_summary> summaries_of(std::span<edge_load const> loads, int num_peers) {
  std::vector<load_summary> all(num_peers);
  for (auto const& [peer, load] : loads)
    all[peer].add(load);
  return all;
}

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
