/// Tiles of step graphs: the boxes that threads compute one at a time. Tiles at one place form a
/// column; those of later kernels are moved down by what these reach, if tiles have a shape.
#pragma once

#include <seam/stencil/detail/step_graph.hpp>

#include <list>
#include <vector>

namespace seam::detail {

template <int D>
cell_index<D> negative(cell_index<D> by) {
  for (auto& step : by)
    step = -step;
  return by;
}

/// How far a kernel reads, and is called, beyond the cells that it computes.
template <int D>
ghost_width<D> reach_of(step_kernel<D> const& kernel);

/// The shape of tiles of fused steps: as large as the memory of a tile fits into a core's cache,
/// over the whole last axis.
/// @param extent  of tiles on the other axes, or on the only one; 0: chosen
/// Local.
template <int D>
tile_shape<D> tile_shape_for(step_program<D> const& program, Grid<D> const& grid,
                             std::int64_t extent);

/// The tiles of one rank. Local.
template <int D>
class step_tiles {
public:
  struct grid_tiles {
    Grid<D> grid;
    std::vector<box<D>> tiles; ///< global indices; without end at the ends of the block
    int first_column;
    int num_in_order; ///< tiles at the front that are begun in their order
    int axis = -1;    ///< that each tile holds as a whole; -1: none
  };

  /// @param flow     outlives the tiles
  /// @param regions  that the rank computes [instances]; outlive the tiles
  step_tiles(step_dataflow<D> const& flow, std::vector<box<D>> const& regions,
             tile_shape<D> const& shape);

  /// The tiles of the cells of a grid, each in a column of its own.
  grid_tiles const& of(Grid<D> const& grid);

  /// Tiles for kernels in order along an axis, none of which is cut across it.
  grid_tiles const& along(int axis, Grid<D> const& grid);

  /// How far the tiles of an instance are moved down, along axes that tiles are cut across.
  cell_index<D> const& shift_of(int instance) const { return shifts_[instance]; }

  int num_columns() const { return num_columns_; }

  /// The columns of each grid that may be begun in any order: those of the interior, unless tiles are
  /// skewed.
  std::vector<column_range> interiors() const;

private:
  grid_tiles rim_and_interior(Grid<D> const& grid) const;
  std::vector<box<D>> skewed(Grid<D> const& grid) const;
  bool is_skewed() const { return shape_.extent != cell_index<D>{}; }

  step_dataflow<D> const& flow_;
  std::vector<box<D>> const& regions_;
  tile_shape<D> shape_;
  std::list<grid_tiles> grids_;
  std::vector<cell_index<D>> shifts_; ///< [instances]
  int num_columns_ = 0;
};

} // namespace seam::detail
