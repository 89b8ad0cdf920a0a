#include <seam/exchange/communicator/load_summary.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace seam::detail {

void load_summary::add(std::int64_t load) {
  if (num_edges_ < most_listed)
    first_[num_edges_] = load;
  ++num_edges_;
  constexpr std::uint64_t prime = 0x100000001b3;
  digest_ = (digest_ ^ static_cast<std::uint64_t>(load)) * prime;
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

} // namespace seam::detail
