/// Tiles of step graphs: the boxes that threads compute one at a time. Tiles at one place form a
/// column. If tiles have a shape, those of later kernels are moved down by what these reach, so that a
/// column needs none but columns before it. Each thread then has a share of its own, a slab of the
/// block, which it begins without waiting for the others: kernel by kernel its tiles keep away from the
/// slab's ends, and what is left between two slabs is computed behind both.
///
///     kernel 2   |     \    \    \  joint  /    \     \   |
///     kernel 1   |  \    \    \    \     /  \     \     \ |
///     kernel 0   |    \    \    \    \ /      \     \     |  axis 0 ->
///                |  share of thread 0 | share of thread 1 |
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

/// The shape of tiles of fused steps, over the whole last axis: what a column of tiles accesses fits
/// into a core's part of the caches.
/// @param extent  of tiles on the other axes, or on the only one; 0: chosen
/// Local.
template <int D>
tile_shape<D> tile_shape_for(step_dataflow<D> const& flow, Grid<D> const& grid,
                             std::int64_t extent);

inline constexpr std::int64_t far_away = std::int64_t{1} << 60;

/// The tiles of one rank. Local.
template <int D>
class step_tiles {
public:
  /// One place of a grid.
  struct tile {
    box<D> cells{}; ///< of the first kernel, global; without end at the ends of the block
    int share = -1; ///< the thread that begins it; -1: any, behind those before it
    std::int64_t end_of_share = -far_away; ///< on axis 0, which later kernels keep away from
    bool is_joint = false;                 ///< grows along axis 0 from kernel to kernel
  };

  struct grid_tiles {
    Grid<D> grid;
    std::vector<tile> tiles;
    int first_column;
    int axis = -1; ///< that each tile holds as a whole; -1: none
  };

  /// @param flow     outlives the tiles
  /// @param regions  that the rank computes [instances]; outlive the tiles
  step_tiles(step_dataflow<D> const& flow, std::vector<box<D>> const& regions,
             tile_shape<D> const& shape);

  /// The tiles of the cells of a grid, each in a column of its own.
  grid_tiles const& of(Grid<D> const& grid);

  /// Tiles for kernels in order along an axis, none of which is cut across it.
  grid_tiles const& along(int axis, Grid<D> const& grid);

  /// The cells of a tile that an instance computes, if it computes all.
  box<D> cells_of(tile const& at, int instance) const;

  /// Cuts ghosts beyond a border, which are filled before `reader` reads them, into pieces. Where
  /// tiles are skewed, a piece waits for tiles of its reader's column and those before it alone.
  std::vector<box<D>> pieces_of(box<D> const& ghosts, Grid<D> const& grid, int reader);

  int num_columns() const { return num_columns_; }

  /// The columns that are begun in their order by any thread, and those of each thread.
  column_shares shares() const;

private:
  std::int64_t bytes_of_cell(Grid<D> const& grid) const;
  std::vector<tile> rim_and_interior(Grid<D> const& grid) const;
  std::vector<tile> skewed(Grid<D> const& grid) const;
  std::vector<std::int64_t> ends_of_shares(Grid<D> const& grid) const;
  grid_tiles const& keep(Grid<D> const& grid, std::vector<tile> tiles, int axis);
  bool is_skewed() const { return shape_.extent != cell_index<D>{}; }

  step_dataflow<D> const& flow_;
  std::vector<box<D>> const& regions_;
  tile_shape<D> shape_;
  std::list<grid_tiles> grids_;
  std::vector<cell_index<D>> shifts_; ///< [instances] how far tiles are moved down
  int num_columns_ = 0;
};

} // namespace seam::detail
