#include <seam/mapping/strategies/lines.hpp>

#include <seam/mapping/strategies/grid_box.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace seam::detail {
namespace {

/// The dimension of the lines of a grid, and the weight that a point sends in one direction.
struct line_weights {
  int dimension = 0; ///< along which the lines run
  std::int64_t weight = 0;
};

/// The lines of a grid; nothing if points send further than to the next ones, along several
/// dimensions, or around a periodic dimension.
std::optional<line_weights> find_lines(stencil_grid const& grid) {
  auto const severed = severed_weights(grid);
  auto const along = std::ranges::find_if(severed, [](auto weight) { return weight > 0; });
  if (along == severed.end())
    return std::nullopt;
  int const k = along - severed.begin();
  for (int i = 0; i < grid.offsets.size(); ++i)
    if (std::abs(grid.offsets[i][k]) > 1)
      return std::nullopt;
  bool const is_alone = std::ranges::count(severed, 0) == std::ssize(severed) - 1;
  if (!is_alone || grid.periodic[k] || !grid.is_symmetric())
    return std::nullopt;
  return line_weights{k, severed[k] / 2};
}

} // namespace

std::optional<cut_volume> least_between_lines(division_problem const& problem) {
  auto const size = problem.common_size();
  auto const lines = problem.grid != nullptr && size ? find_lines(*problem.grid) : std::nullopt;
  if (!lines || problem.grid->extent[lines->dimension] == 1)
    return std::nullopt;
  std::int64_t const length = problem.grid->extent[lines->dimension];
  auto const most_components = problem.num_ranks() / std::lcm(length, std::int64_t{*size});
  auto const cut_ends = 2 * (problem.num_parts() - most_components);
  auto const ends_of_worst = (cut_ends + problem.num_parts() - 1) / problem.num_parts();
  return cut_volume{cut_ends * lines->weight, ends_of_worst * lines->weight};
}

std::optional<filling> divide_in_lines(division_problem const& problem) {
  auto const lines = problem.grid != nullptr ? find_lines(*problem.grid) : std::nullopt;
  if (!lines)
    return std::nullopt;
  std::vector<int> slowest_first(problem.grid->extent.size());
  std::iota(slowest_first.begin(), slowest_first.end(), 0);
  std::rotate(slowest_first.begin() + lines->dimension,
              slowest_first.begin() + lines->dimension + 1, slowest_first.end());
  filling order;
  order.reserve(problem.num_ranks());
  append_ranks(*problem.grid, grid_box::whole(*problem.grid), slowest_first, order);
  return order;
}

} // namespace seam::detail
