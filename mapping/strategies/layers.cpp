#include <seam/mapping/strategies/grid_box.hpp>

#include <vector>

namespace seam::detail {
namespace {

/// A grid without the dimensions along which no process sends.
struct layer {
  explicit layer(stencil_grid const& whole) : grid{{}, {}, offset_list(0)} {
    auto const weights = severed_weights(whole);
    auto const strides = strides_of(whole);
    for (int k = 0; k < std::ssize(weights); ++k)
      if (weights[k] > 0) {
        kept.push_back(k);
        grid.extent.push_back(whole.extent[k]);
        grid.periodic.push_back(whole.periodic[k]);
      }
    grid.offsets = offset_list(std::ssize(kept));
    for (int i = 0; i < whole.offsets.size(); ++i) {
      std::vector<int> offset;
      for (int const k : kept)
        offset.push_back(whole.offsets[i][k]);
      grid.offsets.push_back(offset, whole.offsets.weight(i));
    }
    firsts = {0};
    ranks = {0};
    for (int k = 0; k < std::ssize(weights); ++k)
      (weights[k] > 0 ? ranks : firsts).spread(whole.extent[k], strides[k]);
  }

  /// The ranks of a box; spread() adds a dimension to the box.
  struct rank_list : std::vector<int> {
    using std::vector<int>::vector;
    void spread(int extent, int stride) {
      rank_list wider;
      for (int const rank : *this)
        for (int x = 0; x < extent; ++x)
          wider.push_back(rank + x * stride);
      *this = std::move(wider);
    }
  };

  stencil_grid grid;
  std::vector<int> kept; ///< its dimensions in the whole grid
  rank_list ranks;       ///< of the first layer, in row-major order
  rank_list firsts;      ///< of each layer
};

} // namespace

std::optional<filling> divide_in_layers(division_problem const& problem) {
  auto const size = problem.common_size();
  if (problem.grid == nullptr || !size)
    return std::nullopt;
  layer const single(*problem.grid);
  int const num_points = std::ssize(single.ranks);
  if (single.firsts.size() == 1 || num_points % *size != 0)
    return std::nullopt;
  auto const graph = graph_of(single.grid);
  std::vector<int> const sizes(num_points / *size, *size);
  auto const within = divide_best({.graph = graph, .grid = &single.grid, .sizes = sizes});
  filling order;
  for (int const first : single.firsts)
    for (int const point : *within)
      order.push_back(first + single.ranks[point]);
  return order;
}

} // namespace seam::detail
