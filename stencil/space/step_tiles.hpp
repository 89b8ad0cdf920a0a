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

#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/stencil/space/grid_space.hpp>

#include <list>
#include <vector>

namespace seam::detail {

/// The extents of tiles of fused steps, 0 over the whole last axis: what a column of tiles accesses fits
/// into a core's part of the caches.
/// @param extent  of tiles on the other axes, or on the only one; 0: chosen
/// Local.
index3 tile_shape_for(step_dataflow const& flow, grid_space const& grid, std::int64_t extent);

inline constexpr std::int64_t far_away = std::int64_t{1} << 60;

/// The tiles of one rank. Local.
class step_tiles final : public step_tiling {
public:
  /// One place of a grid.
  struct tile {
    box3 cells{};   ///< of the first kernel, global; without end at the ends of the block
    int share = -1; ///< the thread that begins it; -1: any, behind those before it
    std::int64_t end_of_share =
        -far_away;         ///< on the slowest axis, which later kernels keep away from
    bool is_joint = false; ///< grows along that axis from kernel to kernel
  };

  struct grid_tiles {
    grid_space const* grid;
    std::vector<tile> tiles;
    int first_column;
    int axis = -1; ///< that each tile holds as a whole; -1: none
  };

  /// @param flow     outlives the tiles
  /// @param regions  that the rank computes [instances]; outlive the tiles
  /// @param shape    of skewed tiles, 0 along axes that are not cut; 0 on all: tiles are not skewed
  step_tiles(step_dataflow const& flow, computed_regions const& regions, index3 const& shape);

  std::vector<step_tile> of(int instance) override;

  /// The tiles of the cells of a grid, each in a column of its own.
  /// @param axis  for kernels in order along it: no tile is cut across it; -1: for others
  grid_tiles const& of(grid_space const& grid, int axis = -1);

  /// The cells of a tile that an instance computes, if it computes all.
  box3 cells_of(tile const& at, int instance) const;

  /// Cuts ghosts beyond a border, which are filled before `reader` reads them, into pieces. Where
  /// tiles are skewed, a piece waits for tiles of its reader's column and those before it alone.
  std::vector<box3> pieces_of(box3 const& ghosts, grid_space const& grid, int reader);

  int num_columns() const override { return num_columns_; }
  column_shares shares() const override;

private:
  std::int64_t bytes_of_cell(grid_space const& grid) const;
  std::vector<tile> along(int axis, grid_space const& grid) const;
  std::vector<tile> rim_and_interior(grid_space const& grid) const;
  std::vector<tile> skewed(grid_space const& grid) const;
  std::vector<std::int64_t> ends_of_shares(grid_space const& grid) const;
  bool is_skewed() const { return shape_ != index3{}; }

  step_dataflow const& flow_;
  computed_regions const& regions_;
  int slowest_; ///< axis
  index3 shape_;
  std::list<grid_tiles> grids_;
  std::vector<index3> shifts_; ///< [instances] how far tiles are moved down
  int num_columns_ = 0;
};

} // namespace seam::detail
