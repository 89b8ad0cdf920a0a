/// Boxes of a grid of processes, which the strategies for stencils cut into parts.
#pragma once

#include <seam/mapping/strategies/division.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace seam::detail {

/// The points from `corner` on, `extent` along each dimension. [num_dimensions] each
struct grid_box {
  std::vector<int> corner, extent;

  static grid_box whole(stencil_grid const& grid) {
    return {std::vector<int>(grid.extent.size(), 0), grid.extent};
  }

  std::int64_t volume() const;

  /// The first `width` points along a dimension, and the rest.
  std::pair<grid_box, grid_box> cut(int dimension, int width) const;
};

/// Appends the ranks of a box, its dimensions in the order `slowest_first` [num_dimensions].
void append_ranks(stencil_grid const& grid, grid_box const& box,
                  std::vector<int> const& slowest_first, filling& order);

/// Appends the ranks of a box in row-major order.
void append_ranks(stencil_grid const& grid, grid_box const& box, filling& order);

/// The difference of neighboring ranks along each dimension. [num_dimensions]
std::vector<int> strides_of(stencil_grid const& grid);

/// The weight of the edges that a cut across each dimension severs, for a unit of its face.
/// [num_dimensions]
std::vector<std::int64_t> severed_weights(stencil_grid const& grid);

/// The extent of the box of `volume` points that edges of the least weight leave: along each
/// dimension in proportion to the weight that a cut across it severs, within the grid.
/// [num_dimensions]
std::vector<double> ideal_extent(stencil_grid const& grid, double volume);

} // namespace seam::detail
