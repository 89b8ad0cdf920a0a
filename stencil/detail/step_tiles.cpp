#include <seam/stencil/detail/step_tiles.hpp>

#include <seam/stencil/detail/tiles.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

constexpr std::int64_t far_away = std::int64_t{1} << 60;

/// Boxes that touch the ends of `all` go on without end there.
template <int D>
void open_ends(std::vector<box<D>>& boxes, box<D> const& all) {
  for (box<D>& part : boxes)
    for (int a = 0; a < D; ++a) {
      if (part.lo[a] == all.lo[a])
        part.lo[a] = -far_away;
      if (part.hi[a] == all.hi[a])
        part.hi[a] = far_away;
    }
}

} // namespace

template <int D>
ghost_width<D> reach_of(step_kernel<D> const& kernel) {
  ghost_width<D> width;
  for (step_access<D> const& access : kernel.accesses)
    for (auto const& list : access.offsets)
      for (auto const& offset : list)
        for (int a = 0; a < D; ++a) {
          width.below[a] = std::max(width.below[a], -offset[a]);
          width.above[a] = std::max(width.above[a], offset[a]);
        }
  ghost_width<D> of_added;
  for (auto const& offset : kernel.added)
    for (int a = 0; a < D; ++a) {
      of_added.below[a] = std::max(of_added.below[a], offset[a]);
      of_added.above[a] = std::max(of_added.above[a], -offset[a]);
    }
  for (int a = 0; a < D; ++a) {
    width.below[a] += of_added.below[a];
    width.above[a] += of_added.above[a];
  }
  return width;
}

template <int D>
tile_shape<D> tile_shape_for(step_program<D> const& program, Grid<D> const& grid,
                             std::int64_t extent) {
  constexpr std::int64_t cache = 384 * 1024;
  std::int64_t bytes = 0;
  for (auto const& field : program.fields)
    bytes += field->element_bytes * field->options.components * std::ssize(field->buffers);
  std::int64_t const row = std::max<std::int64_t>(1, grid.owned().extent(D - 1)) * bytes;
  tile_shape<D> shape;
  if (D == 1)
    shape.extent[0] = std::max<std::int64_t>(256, cache / bytes);
  if (D == 2)
    shape.extent[0] = std::clamp<std::int64_t>(cache / row, 8, 4096);
  if (D == 3) {
    std::int64_t const rows = std::max<std::int64_t>(64, cache / row);
    std::int64_t side = 8;
    while (side * side * 4 <= rows)
      side *= 2;
    shape.extent.fill(side);
  }
  if (extent > 0)
    shape.extent.fill(extent);
  if (D > 1)
    shape.extent[D - 1] = 0;
  return shape;
}

template <int D>
step_tiles<D>::step_tiles(step_dataflow<D> const& flow, std::vector<box<D>> const& regions,
                          tile_shape<D> const& shape)
    : flow_(flow), regions_(regions), shape_(shape) {
  cell_index<D> sum{};
  for (int i = 0; i < std::ssize(flow.instances()); ++i) {
    auto const width = reach_of<D>(flow.kernel_of(i));
    for (int a = 0; a < D; ++a)
      if (shape.extent[a] > 0 && i > 0)
        sum[a] += width.of(a);
    shifts_.push_back(sum);
  }
}

template <int D>
auto step_tiles<D>::of(Grid<D> const& grid) -> grid_tiles const& {
  for (grid_tiles const& known : grids_)
    if (known.grid == grid && known.axis < 0)
      return known;
  if (is_skewed()) {
    auto tiles = skewed(grid);
    int const count = std::ssize(tiles);
    grids_.push_back({grid, std::move(tiles), num_columns_, count});
  } else {
    grids_.push_back(rim_and_interior(grid));
  }
  num_columns_ += std::ssize(grids_.back().tiles);
  return grids_.back();
}

template <int D>
auto step_tiles<D>::along(int axis, Grid<D> const& grid) -> grid_tiles const& {
  for (grid_tiles const& known : grids_)
    if (known.grid == grid && known.axis == axis)
      return known;
  box<D> const own = grid.owned();
  auto tiles = cut_along<D>(own, axis, cells_of_a_tile(own.num_cells()));
  open_ends<D>(tiles, own);
  int const count = std::ssize(tiles);
  grids_.push_back({grid, std::move(tiles), num_columns_, count, axis});
  num_columns_ += count;
  return grids_.back();
}

template <int D>
std::vector<column_range> step_tiles<D>::interiors() const {
  std::vector<column_range> all;
  for (grid_tiles const& known : grids_) {
    int const end = known.first_column + static_cast<int>(std::ssize(known.tiles));
    all.push_back({known.first_column + known.num_in_order, end});
  }
  return all;
}

/// Tiles of the rim, which read ghosts that messages bring, first; then the others.
template <int D>
auto step_tiles<D>::rim_and_interior(Grid<D> const& grid) const -> grid_tiles {
  box<D> const own = grid.owned();
  ghost_width<D> rim;
  for (step_kernel<D> const& kernel : flow_.program().kernels)
    if (kernel.grid && *kernel.grid == grid) {
      auto const width = reach_of<D>(kernel);
      for (int a = 0; a < D; ++a) {
        rim.below[a] = std::max(rim.below[a], width.below[a]);
        rim.above[a] = std::max(rim.above[a], width.above[a]);
      }
    }
  for (int a = 0; a < D; ++a) {
    bool const alone = grid.processes()[a] == 1, wraps = grid.is_periodic(a);
    if (alone || (!wraps && own.lo[a] == 0))
      rim.below[a] = 0;
    if (alone || (!wraps && own.hi[a] == grid.cells()[a]))
      rim.above[a] = 0;
  }
  box<D> const interior = intersection(own, shrink(own, rim.below, rim.above));
  std::int64_t const most = cells_of_a_tile(own.num_cells());
  std::vector<box<D>> tiles;
  for (box<D> const& slab : difference(own, interior))
    for (box<D> const& tile : cut<D>(slab, most))
      tiles.push_back(tile);
  int const num_in_order = std::ssize(tiles);
  for (box<D> const& tile : cut<D>(interior, most))
    tiles.push_back(tile);
  open_ends<D>(tiles, own);
  return {grid, std::move(tiles), num_columns_, num_in_order};
}

/// Tiles of the given shape in memory order.
template <int D>
std::vector<box<D>> step_tiles<D>::skewed(Grid<D> const& grid) const {
  box<D> own = grid.owned(), numbers;
  cell_index<D> extent = shape_.extent;
  for (box<D> const& region : regions_)
    own = hull(own, region);
  for (int a = 0; a < D; ++a) {
    own.hi[a] += shifts_.empty() ? 0 : shifts_.back()[a];
    if (extent[a] == 0)
      extent[a] = own.extent(a);
    numbers.hi[a] = (own.extent(a) + extent[a] - 1) / extent[a];
  }
  std::vector<box<D>> tiles;
  for_each_cell(numbers, [&](cell_index<D> const& number) {
    box<D> tile;
    for (int a = 0; a < D; ++a) {
      tile.lo[a] = own.lo[a] + number[a] * extent[a];
      tile.hi[a] = std::min(own.hi[a], tile.lo[a] + extent[a]);
    }
    tiles.push_back(tile);
  });
  open_ends<D>(tiles, own);
  return tiles;
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template ghost_width<D> reach_of(step_kernel<D> const&);                                         \
  template tile_shape<D> tile_shape_for(step_program<D> const&, Grid<D> const&, std::int64_t);     \
  template class step_tiles<D>;
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail
