#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/strategies/grid_edges.hpp>
#include <seam/mapping/strategies/strips.hpp>

#include <limits>

namespace seam::detail {

std::optional<filling> divide_in_best_strips(division_problem const& problem,
                                             grid_edges const& edges, std::int64_t most_sum) {
  std::optional<strip_plan> best;
  cut_volume least{most_sum, std::numeric_limits<std::int64_t>::max()};
  auto const places2parts = places2parts_of(problem);
  std::vector<int> ranks2parts(places2parts.size());
  for (auto const& plan : strips_to_try(*problem.grid, problem.mean_size())) {
    fill_strips(*problem.grid, plan, places2parts, ranks2parts);
    if (edges.sum_between(ranks2parts, least.sum) > least.sum)
      continue;
    if (auto const volume = edges.volume_between(ranks2parts); volume < least) {
      least = volume;
      best = plan;
    }
  }
  return best ? std::optional(walk_strips(*problem.grid, *best)) : std::nullopt;
}

std::optional<filling> divide_in_best_strips(division_problem const& problem) {
  if (problem.grid == nullptr || problem.grid->extent.empty())
    return std::nullopt;
  return divide_in_best_strips(problem, grid_edges(*problem.grid),
                               std::numeric_limits<std::int64_t>::max());
}

} // namespace seam::detail
