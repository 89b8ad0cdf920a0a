#include <seam/mapping/mapping_cost.hpp>
#include <seam/mapping/strategies/grid_edges.hpp>
#include <seam/mapping/strategies/strips.hpp>

#include <limits>

namespace seam {
namespace detail {

std::optional<filling> divide_in_best_strips(division_problem const& problem,
                                             grid_edges const& edges, std::int64_t most_sum) {
  std::optional<filling> best;
  cut_volume least{most_sum, std::numeric_limits<std::int64_t>::max()};
  auto const places2parts = places2parts_of(problem);
  std::vector<short_part> ranks2parts(places2parts.size());
  for (auto const& plan : strips_to_try(*problem.grid, problem.mean_size())) {
    auto order = walk_strips(*problem.grid, plan);
    for (std::size_t place = 0; place < order.size(); ++place)
      ranks2parts[order[place]] = places2parts[place];
    if (edges.sum_between(ranks2parts, least.sum) > least.sum)
      continue;
    if (auto const volume = volume_between(problem.graph, ranks2parts_of(problem, order));
        volume < least) {
      least = volume;
      best = std::move(order);
    }
  }
  return best;
}

} // namespace detail

std::optional<filling> divide_in_best_strips(division_problem const& problem) {
  if (problem.grid == nullptr || problem.grid->extent.empty())
    return std::nullopt;
  return detail::divide_in_best_strips(problem, detail::grid_edges(*problem.grid),
                                       std::numeric_limits<std::int64_t>::max());
}

} // namespace seam
