#include <seam/mapping/strategies/grid_box.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace seam::detail {
namespace {

/// A dimension of a box: its number of points, and the stride of their ranks.
struct run_of_ranks {
  int extent, stride;
};

/// Appends the ranks of a box whose first one is `first`, the last of its dimensions the fastest.
void append_from(std::span<run_of_ranks const> runs, int first, filling& order) {
  if (runs.empty())
    return order.push_back(first);
  auto const [extent, stride] = runs.front();
  for (int x = 0; x < extent; ++x)
    if (runs.size() == 1)
      order.push_back(first + x * stride);
    else
      append_from(runs.subspan(1), first + x * stride, order);
}

} // namespace

std::int64_t grid_box::volume() const {
  return std::accumulate(extent.begin(), extent.end(), std::int64_t{1}, std::multiplies());
}

std::pair<grid_box, grid_box> grid_box::cut(int dimension, int width) const {
  grid_box low = *this, high = *this;
  low.extent[dimension] = width;
  high.corner[dimension] += width;
  high.extent[dimension] -= width;
  return {std::move(low), std::move(high)};
}

void append_ranks(stencil_grid const& grid, grid_box const& box,
                  std::vector<int> const& slowest_first, filling& order) {
  auto const strides = strides_of(grid);
  std::vector<run_of_ranks> runs;
  for (int const k : slowest_first)
    runs.push_back({box.extent[k], strides[k]});
  append_from(runs, std::inner_product(box.corner.begin(), box.corner.end(), strides.begin(), 0),
              order);
}

void append_ranks(stencil_grid const& grid, grid_box const& box, filling& order) {
  std::vector<int> row_major(grid.extent.size());
  std::iota(row_major.begin(), row_major.end(), 0);
  append_ranks(grid, box, row_major, order);
}

std::vector<int> strides_of(stencil_grid const& grid) {
  std::vector<int> strides(grid.extent.size(), 1);
  for (int k = std::ssize(strides); k-- > 1;)
    strides[k - 1] = strides[k] * grid.extent[k];
  return strides;
}

std::vector<std::int64_t> severed_weights(stencil_grid const& grid) {
  std::vector<std::int64_t> weights(grid.extent.size(), 0);
  for (int i = 0; i < grid.offsets.size(); ++i)
    for (int k = 0; k < std::ssize(weights); ++k)
      weights[k] += std::abs(std::int64_t{grid.offsets[i][k]}) * grid.offsets.weight(i);
  return weights;
}

std::vector<double> ideal_extent(stencil_grid const& grid, double volume) {
  auto const severed = severed_weights(grid);
  std::vector<double> extent(severed.size(), 0);
  std::vector<int> free;
  for (int k = 0; k < std::ssize(severed); ++k) {
    extent[k] = 1; // where nothing is severed, parts need not extend
    if (severed[k] > 0)
      free.push_back(k);
  }
  // A dimension that the grid is too short for is used whole, and the others share the rest.
  for (bool fits = false; !fits && !free.empty();) {
    double product = 1, used = 1;
    for (int const k : free)
      product *= static_cast<double>(severed[k]);
    for (int k = 0; k < std::ssize(extent); ++k)
      used *= std::ranges::count(free, k) == 0 ? extent[k] : 1;
    double const unit = std::pow(volume / used / product, 1.0 / static_cast<double>(free.size()));
    for (int const k : free)
      extent[k] = std::max(1.0, unit * static_cast<double>(severed[k]));
    auto const too_short = [&](int k) { return extent[k] > grid.extent[k]; };
    fits = std::ranges::none_of(free, too_short);
    for (int const k : free)
      extent[k] = std::min(extent[k], static_cast<double>(grid.extent[k]));
    std::erase_if(free, [&](int k) { return extent[k] >= grid.extent[k]; });
  }
  return extent;
}

} // namespace seam::detail
