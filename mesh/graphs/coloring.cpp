#include <seam/mesh/graphs/coloring.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/graphs/luby.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam {
using namespace detail;

std::vector<int> color_graph(Communicator const& over, distributed_graph const& graph,
                             std::uint64_t seed) {
  detail::call_scope const here("color_graph");
  detail::luby_graph local(over, graph);
  std::vector<int> colors(graph.ids.size());
  std::vector<char> left(local.num_local(), 1);
  for (int next = 0; local.any(std::span(left).first(colors.size())); ++next) {
    auto const set = local.find_set(left, seed + static_cast<std::uint64_t>(next));
    for (local_id n = 0; n < local.num_local(); ++n)
      if (set[n] != 0) {
        left[n] = 0;
        if (n < local.num_own())
          colors[n] = next;
      }
  }
  return colors;
}

bool is_proper_coloring(Communicator const& over, distributed_graph const& graph,
                        std::span<int const> colors) {
  collectively(over.context(), [&] {
    if (std::ssize(colors) != graph.num_nodes())
      refuse(fmt::format("coloring: {} colors (expected one for each of {} nodes)", colors.size(),
                         graph.num_nodes()));
  });
  detail::luby_graph local(over, graph);
  auto const all = local.with_others(colors);
  std::vector<char> is_wrong(colors.size(), 0);
  for (local_id n = 0; n < local.num_own(); ++n) {
    int const own = colors[n];
    bool const is_repeated = std::ranges::any_of(local.neighbors()[n],
                                                 [&](local_id other) { return all[other] == own; });
    is_wrong[n] = own < 0 || is_repeated ? 1 : 0;
  }
  return !local.any(is_wrong);
}

std::vector<std::int64_t> count_colors(Communicator const& over, std::span<int const> colors) {
  collectively(over.context(), [&] {
    for (int const color : colors)
      if (color < 0)
        refuse(fmt::format("coloring: color {} (expected at least 0)", color));
  });
  int const own_last = colors.empty() ? -1 : std::ranges::max(colors);
  int const last = mpi::allreduce(over.context(), own_last, MPI_MAX);
  std::vector<std::int64_t> counts(last + 1);
  for (int const color : colors)
    ++counts[color];
  mpi::allreduce(over.context(), std::span(counts), MPI_SUM);
  return counts;
}

std::vector<char> independent_set(Communicator const& over, distributed_graph const& graph,
                                  std::span<char const> candidates, std::uint64_t seed) {
  detail::call_scope const here("independent_set");
  collectively(over.context(), [&] {
    if (!candidates.empty() && std::ssize(candidates) != graph.num_nodes())
      refuse(fmt::format("independent set: {} candidates (expected a flag for each of {} nodes, or "
                         "none)",
                         candidates.size(), graph.num_nodes()));
  });
  detail::luby_graph local(over, graph);
  std::vector<int> flags(graph.ids.size(), 1);
  for (local_id n = 0; n < std::ssize(candidates); ++n)
    flags[n] = candidates[n] != 0 ? 1 : 0;
  auto const all = local.with_others(flags);
  auto set = local.find_set({all.begin(), all.end()}, seed);
  set.resize(graph.ids.size());
  return set;
}

} // namespace seam
