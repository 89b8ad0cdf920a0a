/// Strips: a path through a grid, to and fro along one dimension, in strips side by side.
///
///     along the second dimension, in two strips      0  2  4  6
///                                                    1  3  5  7
///                                                   15 13 11  9
///                                                   14 12 10  8
#pragma once

#include <seam/mapping/strategies/division.hpp>
#include <seam/mapping/strategies/grid_edges.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace seam::detail {

/// The direction and the widths of strips. A width need not be whole: strips begin at its multiples
/// rounded down, and the last one ends with the grid. So width 4 leaves a narrow last strip of 2 in
/// 10 points, while 10 / 3 makes strips of 3, 3 and 4.
struct strip_plan {
  int along = 0;
  std::vector<double> widths; ///< [num_dimensions], the whole extent for the dimension along
  /// Whether strips fill one layer after another, where layers send nothing to each other; else
  /// each strip continues in the next layer.
  bool is_layer_by_layer = false;
};

/// The points of the grid in the order of the path.
filling walk_strips(stencil_grid const& grid, strip_plan const& plan);

/// Gives each point the part of its place on the path.
/// @param places2parts  [num_points] the part of each place on the path
/// @param ranks2parts   [num_points] written
void fill_strips(stencil_grid const& grid, strip_plan const& plan,
                 std::span<int const> places2parts, std::span<int> ranks2parts);

/// The plan for strips as wide as a part of `part_size` points should be, and as long as possible.
strip_plan ideal_strips(stencil_grid const& grid, int part_size);

/// Plans around the ideal widths along all dimensions, no more than some dozens.
std::vector<strip_plan> strips_to_try(stencil_grid const& grid, int part_size);

/// The best strips of a problem with a grid, whose edges are `edges`, if their sum of volumes is at
/// most `most_sum`; else nothing.
std::optional<filling> divide_in_best_strips(division_problem const& problem,
                                             grid_edges const& edges, std::int64_t most_sum);

} // namespace seam::detail
