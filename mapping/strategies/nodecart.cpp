#include <seam/mapping/strategies/grid_box.hpp>

#include <limits>

namespace seam::detail {
namespace {

/// Searches for the box of a given volume with the least surface whose copies tile a grid.
class tile_search {
public:
  tile_search(stencil_grid const& grid, int volume) : grid_(grid) {
    std::vector<int> extent;
    extend(extent, volume);
  }

  /// The extent of the best box; empty if no box tiles the grid. [num_dimensions]
  std::vector<int> const& best() const { return best_; }

private:
  void extend(std::vector<int>& extent, int left) {
    if (extent.size() == grid_.extent.size()) {
      if (left == 1)
        consider(extent);
      return;
    }
    int const n = grid_.extent[extent.size()];
    for (int width = 1; width <= std::min(n, left); ++width)
      if (n % width == 0 && left % width == 0) {
        extent.push_back(width);
        extend(extent, left / width);
        extent.pop_back();
      }
  }

  /// Boxes of one volume have a surface in proportion to the sum of their extents' inverses.
  void consider(std::vector<int> const& extent) {
    double surface = 0;
    for (int const width : extent)
      surface += 1.0 / width;
    if (surface < least_) {
      least_ = surface;
      best_ = extent;
    }
  }

  stencil_grid const& grid_;
  std::vector<int> best_;
  double least_ = std::numeric_limits<double>::max();
};

/// Cuts a box into tiles, along one dimension after the other.
void append_tiles(stencil_grid const& grid, grid_box const& box, int dimension,
                  std::vector<int> const& tile, filling& order) {
  if (dimension == grid.num_dimensions())
    return append_ranks(grid, box, order);
  auto slab = box;
  slab.extent[dimension] = tile[dimension];
  for (int x = 0; x < box.extent[dimension]; x += tile[dimension]) {
    slab.corner[dimension] = box.corner[dimension] + x;
    append_tiles(grid, slab, dimension + 1, tile, order);
  }
}

} // namespace

std::optional<filling> divide_in_equal_boxes(division_problem const& problem) {
  auto const size = problem.common_size();
  if (problem.grid == nullptr || !size)
    return std::nullopt;
  auto const tile = tile_search(*problem.grid, *size).best();
  if (tile.empty() && problem.grid->num_dimensions() > 0)
    return std::nullopt;
  filling order;
  append_tiles(*problem.grid, grid_box::whole(*problem.grid), 0, tile, order);
  return order;
}

} // namespace seam::detail
