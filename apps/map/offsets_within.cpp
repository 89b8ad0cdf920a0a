#include "offsets_within.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace map {
namespace {

/// An offset that is shorter than the grid along each axis.
struct short_offset {
  std::vector<int> steps; ///< [num_dimensions]
  std::int64_t number;    ///< distinct for each offset
};

/// The way of an offset in the grid; nothing if it leads beyond a border from everywhere.
std::optional<short_offset> way_of(std::span<int const> offset, seam::stencil_grid const& grid) {
  short_offset way{{}, 0};
  for (int k = 0; k < grid.num_dimensions(); ++k) {
    int const extent = grid.extent[k];
    if (!grid.periodic[k] && std::abs(offset[k]) >= extent)
      return std::nullopt;
    way.steps.push_back(offset[k] % extent);
    way.number = way.number * (2 * std::int64_t{extent} - 1) + way.steps.back() + extent - 1;
  }
  return way;
}

int narrowed(std::int64_t weight) {
  if (weight > std::numeric_limits<int>::max())
    seam::refuse(fmt::format("--neighborhood: offsets that lead to one process weigh {} together "
                             "(expected less than 2^31)",
                             weight));
  return static_cast<int>(weight);
}

} // namespace

seam::offset_list offsets_within(seam::stencil_grid const& grid,
                                 std::function<int(std::span<int const>)> const& weight_of) {
  std::vector<short_offset> ways;
  std::vector<std::int64_t> weights; ///< [ways]
  std::unordered_map<std::int64_t, int> numbers2ways;
  for (int i = 0; i < std::ssize(grid.offsets.weights()); ++i) {
    auto const offset = grid.offsets[i];
    auto way = way_of(offset, grid);
    if (!way)
      continue;
    auto const [known, is_new] =
        numbers2ways.try_emplace(way->number, static_cast<int>(ways.size()));
    if (is_new) {
      ways.push_back(std::move(*way));
      weights.push_back(0);
    }
    weights[known->second] += weight_of(offset);
  }
  seam::offset_list within(grid.num_dimensions());
  for (int w = 0; w < std::ssize(ways); ++w)
    within.push_back(ways[w].steps, narrowed(weights[w]));
  return within;
}

} // namespace map
