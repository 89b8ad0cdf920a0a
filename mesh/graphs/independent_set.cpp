#include <seam/mesh/graphs/independent_set.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/graphs/luby.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

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
