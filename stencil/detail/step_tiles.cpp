#include <seam/stencil/detail/step_tiles.hpp>

#include <seam/stencil/detail/parallel.hpp>
#include <seam/stencil/detail/tiles.hpp>

#include <algorithm>
#include <cmath>

namespace seam::detail {
namespace {

/// Tiles that touch the ends of `all` go on without end there.
template <class Tile, int D>
void open_ends(std::vector<Tile>& tiles, box<D> const& all) {
  for (Tile& tile : tiles)
    for (int a = 0; a < D; ++a) {
      if (tile.cells.lo[a] == all.lo[a])
        tile.cells.lo[a] = -far_away;
      if (tile.cells.hi[a] == all.hi[a])
        tile.cells.hi[a] = far_away;
    }
}

/// Cuts a part into tiles of an extent, in memory order, which are otherwise like `like`. A part
/// without extent along an axis is one tile there.
template <class Tile, int D>
void add_tiles(std::vector<Tile>& tiles, box<D> const& part, cell_index<D> const& extent,
               Tile const& like) {
  box<D> numbers;
  for (int a = 0; a < D; ++a)
    numbers.hi[a] = std::max<std::int64_t>(1, (part.extent(a) + extent[a] - 1) / extent[a]);
  for_each_cell(numbers, [&](cell_index<D> const& number) {
    Tile made = like;
    for (int a = 0; a < D; ++a) {
      made.cells.lo[a] = part.lo[a] + number[a] * extent[a];
      made.cells.hi[a] = std::min(part.hi[a], made.cells.lo[a] + extent[a]);
    }
    tiles.push_back(made);
  });
}

/// The bytes of a cell in all buffers of a field.
template <int D>
std::int64_t bytes_of_cell_in(field_state<D> const& field) {
  return field.element_bytes * field.options.components * std::ssize(field.buffers);
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

/// How far tiles of each instance are moved down. [instances]
template <int D>
std::vector<cell_index<D>> shifts_of(step_dataflow<D> const& flow, tile_shape<D> const& shape) {
  std::vector<cell_index<D>> shifts;
  cell_index<D> sum{};
  for (int i = 0; i < std::ssize(flow.instances()); ++i) {
    auto const width = reach_of<D>(flow.kernel_of(i));
    for (int a = 0; a < D; ++a)
      if (shape.extent[a] > 0 && i > 0)
        sum[a] += width.of(a);
    shifts.push_back(sum);
  }
  return shifts;
}

template <int D>
cell_index<D> last_of(std::vector<cell_index<D>> const& shifts) {
  return shifts.empty() ? cell_index<D>{} : shifts.back();
}

template <int D>
tile_shape<D> tile_shape_for(step_dataflow<D> const& flow, Grid<D> const& grid,
                             std::int64_t extent) {
  constexpr std::int64_t near_cache = 384 * 1024, far_cache = 4 * 1024 * 1024;
  std::int64_t bytes = 0;
  for (auto const& field : flow.program().fields)
    bytes += bytes_of_cell_in(*field);
  bytes = std::max<std::int64_t>(1, bytes); // steps of values alone have no fields
  std::int64_t const row = std::max<std::int64_t>(1, grid.owned().extent(D - 1)) * bytes;
  tile_shape<D> shape;
  shape.extent.fill(std::max<std::int64_t>(1, extent));
  if (D > 1)
    shape.extent[D - 1] = 0;
  if (extent > 0)
    return shape;
  if (D == 1)
    shape.extent[0] = std::max<std::int64_t>(256, near_cache / bytes);
  if (D == 2)
    shape.extent[0] = std::clamp<std::int64_t>(near_cache / row, 8, 4096);
  if (D == 3) {
    // All instances together access a square of rows that is larger by the last one's shift.
    auto const last = last_of<D>(shifts_of<D>(flow, shape));
    std::int64_t const side = std::sqrt(far_cache / row);
    for (int a = 0; a + 1 < D; ++a)
      shape.extent[a] = std::clamp<std::int64_t>(side - last[a], 8, 64);
  }
  return shape;
}

template <int D>
step_tiles<D>::step_tiles(step_dataflow<D> const& flow, std::vector<box<D>> const& regions,
                          tile_shape<D> const& shape)
    : flow_(flow), regions_(regions), shape_(shape), shifts_(shifts_of<D>(flow, shape)) {}

template <int D>
auto step_tiles<D>::of(Grid<D> const& grid) -> grid_tiles const& {
  for (grid_tiles const& known : grids_)
    if (known.grid == grid && known.axis < 0)
      return known;
  return keep(grid, is_skewed() ? skewed(grid) : rim_and_interior(grid), -1);
}

template <int D>
auto step_tiles<D>::along(int axis, Grid<D> const& grid) -> grid_tiles const& {
  for (grid_tiles const& known : grids_)
    if (known.grid == grid && known.axis == axis)
      return known;
  // Short rows cost more than threads that get unequal numbers of tiles.
  constexpr std::int64_t short_row = 32, long_row = 256, tiles_for_a_thread = 2;
  box<D> const own = grid.owned();
  auto const in_row = std::clamp<std::int64_t>(
      own.extent(D - 1) / (tiles_for_a_thread * num_loop_threads()), short_row, long_row);
  auto const cut =
      cut_along<D>(own, axis, cells_of_a_tile(own.num_cells(), bytes_of_cell(grid)), in_row);
  std::vector<tile> tiles;
  for (int t = 0; t < std::ssize(cut); ++t)
    tiles.push_back({cut[t], static_cast<int>(t * num_loop_threads() / std::ssize(cut))});
  open_ends(tiles, own);
  return keep(grid, std::move(tiles), axis);
}

template <int D>
auto step_tiles<D>::keep(Grid<D> const& grid, std::vector<tile> tiles, int axis)
    -> grid_tiles const& {
  grids_.push_back({grid, std::move(tiles), num_columns_, axis});
  num_columns_ += std::ssize(grids_.back().tiles);
  return grids_.back();
}

template <int D>
box<D> step_tiles<D>::cells_of(tile const& at, int instance) const {
  if (!is_skewed())
    return at.cells;
  cell_index<D> const& by = shifts_[instance];
  box<D> cells = shift(at.cells, negative<D>(by));
  if (at.is_joint)
    cells.hi[0] = at.cells.hi[0] + by[0];
  cells.lo[0] = std::max(cells.lo[0], at.end_of_share + by[0]);
  return cells;
}

template <int D>
std::vector<box<D>> step_tiles<D>::pieces_of(box<D> const& ghosts, Grid<D> const& grid,
                                             int reader) {
  if (!is_skewed())
    return cut<D>(ghosts, ghosts_of_a_piece(ghosts.num_cells()));
  std::vector<box<D>> pieces;
  for (tile const& at : of(grid).tiles)
    if (box<D> const piece = intersection(ghosts, cells_of(at, std::max(0, reader - 1)));
        !piece.is_empty())
      pieces.push_back(piece);
  return pieces;
}

template <int D>
column_shares step_tiles<D>::shares() const {
  column_shares all;
  all.of_threads.resize(num_loop_threads());
  for (grid_tiles const& known : grids_)
    for (int t = 0; t < std::ssize(known.tiles); ++t) {
      int const share = known.tiles[t].share;
      (share < 0 ? all.in_order : all.of_threads[share]).push_back(known.first_column + t);
    }
  return all;
}

/// The bytes of a cell of all fields on a grid.
template <int D>
std::int64_t step_tiles<D>::bytes_of_cell(Grid<D> const& grid) const {
  std::int64_t bytes = 0;
  for (auto const& field : flow_.program().fields)
    if (field->grid == grid)
      bytes += bytes_of_cell_in(*field);
  return std::max<std::int64_t>(1, bytes);
}

/// Tiles of the rim, which read ghosts that messages bring, first; then the others, which may be begun
/// in any order.
template <int D>
auto step_tiles<D>::rim_and_interior(Grid<D> const& grid) const -> std::vector<tile> {
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
  std::int64_t const most = cells_of_a_tile(own.num_cells(), bytes_of_cell(grid));
  std::vector<tile> tiles;
  for (box<D> const& slab : difference(own, interior))
    for (box<D> const& cells : cut<D>(slab, most))
      tiles.push_back({cells});
  std::vector<box<D>> const inside = cut<D>(interior, most);
  for (int t = 0; t < std::ssize(inside); ++t)
    tiles.push_back({inside[t], static_cast<int>(t * num_loop_threads() / std::ssize(inside))});
  open_ends(tiles, own);
  return tiles;
}

/// Where the shares of threads in a block meet, on axis 0; none if the block is too thin for shares.
template <int D>
std::vector<std::int64_t> step_tiles<D>::ends_of_shares(Grid<D> const& grid) const {
  box<D> const own = grid.owned();
  std::int64_t const fewest = std::max<std::int64_t>(1, 4 * last_of<D>(shifts_)[0]);
  auto const num_shares =
      static_cast<int>(std::min<std::int64_t>(num_loop_threads(), own.extent(0) / fewest));
  std::vector<std::int64_t> ends;
  for (int share = 1; share < num_shares; ++share)
    ends.push_back(own.lo[0] + first_cell_of(own.extent(0), num_shares, share));
  return ends;
}

/// Tiles of the given shape in memory order, share by share, and what is between shares behind the
/// lower one.
template <int D>
auto step_tiles<D>::skewed(Grid<D> const& grid) const -> std::vector<tile> {
  box<D> all = grid.owned();
  cell_index<D> extent = shape_.extent;
  for (box<D> const& region : regions_)
    all = hull(all, region);
  for (int a = 0; a < D; ++a) {
    all.hi[a] += last_of<D>(shifts_)[a];
    if (extent[a] == 0)
      extent[a] = all.extent(a);
  }
  box<D> const whole = all;
  auto const ends = ends_of_shares(grid);
  std::vector<tile> tiles;
  tile in_share;
  in_share.share = ends.empty() ? -1 : 0;
  for (std::int64_t const end : ends) {
    box<D> slab = all, joint = all;
    slab.hi[0] = joint.lo[0] = joint.hi[0] = all.lo[0] = end;
    add_tiles(tiles, slab, extent, in_share);
    add_tiles(tiles, joint, extent, {.share = in_share.share, .is_joint = true});
    in_share = {.share = in_share.share + 1, .end_of_share = end};
  }
  add_tiles(tiles, all, extent, in_share);
  open_ends(tiles, whole);
  return tiles;
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template ghost_width<D> reach_of(step_kernel<D> const&);                                         \
  template tile_shape<D> tile_shape_for(step_dataflow<D> const&, Grid<D> const&, std::int64_t);    \
  template class step_tiles<D>;
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail
