#include <seam/stencil/space/step_tiles.hpp>

#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/stencil/space/grid_kernels.hpp>
#include <seam/stencil/space/tiles.hpp>

#include <algorithm>
#include <cmath>

namespace seam::detail {
namespace {

/// Tiles that touch the ends of `all` go on without end there.
template <class Tile>
void open_ends(std::vector<Tile>& tiles, box3 const& all) {
  for (Tile& tile : tiles)
    for (int a = 0; a < 3; ++a) {
      if (tile.cells.lo[a] == all.lo[a])
        tile.cells.lo[a] = -far_away;
      if (tile.cells.hi[a] == all.hi[a])
        tile.cells.hi[a] = far_away;
    }
}

/// Cuts a part into tiles of an extent, in memory order, which are otherwise like `like`. A part
/// without extent along an axis is one tile there.
template <class Tile>
void add_tiles(std::vector<Tile>& tiles, box3 const& part, index3 const& extent, Tile const& like) {
  box3 numbers;
  for (int a = 0; a < 3; ++a)
    numbers.hi[a] = std::max<std::int64_t>(1, (part.extent(a) + extent[a] - 1) / extent[a]);
  for_each_cell(numbers, [&](index3 const& number) {
    Tile made = like;
    for (int a = 0; a < 3; ++a) {
      made.cells.lo[a] = part.lo[a] + number[a] * extent[a];
      made.cells.hi[a] = std::min(part.hi[a], made.cells.lo[a] + extent[a]);
    }
    tiles.push_back(made);
  });
}

/// Adds tiles that threads share evenly.
template <class Tile>
void add_shared(std::vector<Tile>& tiles, std::vector<box3> const& boxes) {
  for (int t = 0; t < std::ssize(boxes); ++t)
    tiles.push_back({boxes[t], static_cast<int>(t * num_loop_threads() / std::ssize(boxes))});
}

/// The bytes of a cell in all buffers of a field.
std::int64_t bytes_of_cell_in(step_field const& field) {
  return field.element_bytes * field.components * std::ssize(field.buffers);
}

/// How far tiles of each instance are moved down. [instances]
std::vector<index3> shifts_of(step_dataflow const& flow, index3 const& shape) {
  std::vector<index3> shifts;
  index3 sum{};
  for (int i = 0; i < std::ssize(flow.instances()); ++i) {
    auto const width = reach_of(flow.kernel_of(i));
    for (int a = 0; a < 3; ++a)
      if (shape[a] > 0 && i > 0)
        sum[a] += width.of(a);
    shifts.push_back(sum);
  }
  return shifts;
}

index3 last_of(std::vector<index3> const& shifts) {
  return shifts.empty() ? index3{} : shifts.back();
}

} // namespace

index3 tile_shape_for(step_dataflow const& flow, grid_space const& grid, std::int64_t extent) {
  constexpr std::int64_t near_cache = 384 * 1024, far_cache = 4 * 1024 * 1024;
  std::int64_t bytes = 0;
  for (auto const& field : flow.program().fields)
    bytes += bytes_of_cell_in(*field);
  bytes = std::max<std::int64_t>(1, bytes); // steps of values alone have no fields
  std::int64_t const row = std::max<std::int64_t>(1, grid.owned().extent(2)) * bytes;
  index3 shape{};
  int const slowest = grid.first_axis(), last_cut = std::max(slowest, 1);
  for (int a = slowest; a <= last_cut; ++a)
    shape[a] = std::max<std::int64_t>(1, extent);
  if (extent > 0)
    return shape;
  if (grid.num_axes() == 1)
    shape[slowest] = std::max<std::int64_t>(256, near_cache / bytes);
  if (grid.num_axes() == 2)
    shape[slowest] = std::clamp<std::int64_t>(near_cache / row, 8, 4096);
  if (grid.num_axes() == 3) {
    // All instances together access a square of rows that is larger by the last one's shift.
    auto const last = last_of(shifts_of(flow, shape));
    std::int64_t const side = std::sqrt(far_cache / row);
    for (int a = slowest; a <= last_cut; ++a)
      shape[a] = std::clamp<std::int64_t>(side - last[a], 8, 64);
  }
  return shape;
}

step_tiles::step_tiles(step_dataflow const& flow, computed_regions const& regions,
                       index3 const& shape)
    : flow_(flow),
      regions_(regions),
      slowest_(3 - flow.program().num_axes),
      shape_(shape),
      shifts_(shifts_of(flow, shape)) {}

std::vector<step_tile> step_tiles::of(int instance) {
  auto const& kernel = flow_.kernel_of(instance);
  bool const is_ordered = kernel.order.is_on;
  auto const& all = of(grid_of(kernel), is_ordered ? axis_of_order(kernel) : -1);
  std::vector<step_tile> pieces;
  for (int t = 0; t < std::ssize(all.tiles); ++t) {
    box3 const cells = is_ordered ? all.tiles[t].cells : cells_of(all.tiles[t], instance);
    if (box3 const piece = intersection(regions_[instance].box(), cells); !piece.is_empty())
      pieces.push_back({all.first_column + t, piece});
  }
  return pieces;
}

auto step_tiles::of(grid_space const& grid, int axis) -> grid_tiles const& {
  for (grid_tiles const& known : grids_)
    if (known.grid == &grid && known.axis == axis)
      return known;
  auto tiles = axis >= 0 ? along(axis, grid) : is_skewed() ? skewed(grid) : rim_and_interior(grid);
  grids_.push_back({&grid, std::move(tiles), num_columns_, axis});
  num_columns_ += std::ssize(grids_.back().tiles);
  return grids_.back();
}

/// Tiles for kernels in order along an axis.
auto step_tiles::along(int axis, grid_space const& grid) const -> std::vector<tile> {
  // Short rows cost more than threads that get unequal numbers of tiles.
  constexpr std::int64_t short_row = 32, long_row = 256, tiles_for_a_thread = 2;
  box3 const own = grid.owned();
  auto const in_row = std::clamp<std::int64_t>(
      own.extent(2) / (tiles_for_a_thread * num_loop_threads()), short_row, long_row);
  std::vector<tile> tiles;
  add_shared(tiles, cut(own, cells_of_a_tile(own.num_cells(), bytes_of_cell(grid)), axis, in_row));
  open_ends(tiles, own);
  return tiles;
}

box3 step_tiles::cells_of(tile const& at, int instance) const {
  if (!is_skewed())
    return at.cells;
  index3 const& by = shifts_[instance];
  box3 cells = shift(at.cells, negated(by));
  if (at.is_joint)
    cells.hi[slowest_] = at.cells.hi[slowest_] + by[slowest_];
  cells.lo[slowest_] = std::max(cells.lo[slowest_], at.end_of_share + by[slowest_]);
  return cells;
}

std::vector<box3> step_tiles::pieces_of(box3 const& ghosts, grid_space const& grid, int reader) {
  if (!is_skewed())
    return cut(ghosts, ghosts_of_a_piece(ghosts.num_cells()));
  std::vector<box3> pieces;
  for (tile const& at : of(grid).tiles)
    if (box3 const piece = intersection(ghosts, cells_of(at, std::max(0, reader - 1)));
        !piece.is_empty())
      pieces.push_back(piece);
  return pieces;
}

column_shares step_tiles::shares() const {
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
std::int64_t step_tiles::bytes_of_cell(grid_space const& grid) const {
  std::int64_t bytes = 0;
  for (auto const& field : flow_.program().fields)
    if (&field->over() == &grid)
      bytes += bytes_of_cell_in(*field);
  return std::max<std::int64_t>(1, bytes);
}

/// Tiles of the rim, which read ghosts that messages bring, first; then the others, which may be begun
/// in any order.
auto step_tiles::rim_and_interior(grid_space const& grid) const -> std::vector<tile> {
  box3 const own = grid.owned();
  ghost_width<3> rim;
  for (step_kernel const& kernel : flow_.program().kernels)
    if (kernel.space.get() == &grid)
      rim = wider(rim, reach_of(kernel));
  for (int a = 0; a < 3; ++a) {
    bool const alone = grid.processes()[a] == 1, wraps = grid.is_periodic(a);
    if (alone || (!wraps && own.lo[a] == 0))
      rim.below[a] = 0;
    if (alone || (!wraps && own.hi[a] == grid.cells()[a]))
      rim.above[a] = 0;
  }
  box3 const interior = intersection(own, shrink(own, rim.below, rim.above));
  std::int64_t const most = cells_of_a_tile(own.num_cells(), bytes_of_cell(grid));
  std::vector<tile> tiles;
  for (box3 const& slab : difference(own, interior))
    for (box3 const& cells : cut(slab, most))
      tiles.push_back({cells});
  add_shared(tiles, cut(interior, most));
  open_ends(tiles, own);
  return tiles;
}

/// Where the shares of threads in a block meet, on the slowest axis; none if the block is too thin for
/// shares.
std::vector<std::int64_t> step_tiles::ends_of_shares(grid_space const& grid) const {
  std::int64_t const first = grid.owned().lo[slowest_], extent = grid.owned().extent(slowest_);
  std::int64_t const fewest = std::max<std::int64_t>(1, 4 * last_of(shifts_)[slowest_]);
  auto const num_shares =
      static_cast<int>(std::min<std::int64_t>(num_loop_threads(), extent / fewest));
  std::vector<std::int64_t> ends;
  for (int share = 1; share < num_shares; ++share)
    ends.push_back(first + first_cell_of(extent, num_shares, share));
  return ends;
}

/// Tiles of the given shape in memory order, share by share, and what is between shares behind the
/// lower one.
auto step_tiles::skewed(grid_space const& grid) const -> std::vector<tile> {
  box3 all = grid.owned();
  index3 extent = shape_;
  for (step_region const& region : regions_)
    all = hull(all, region.box());
  for (int a = 0; a < 3; ++a) {
    all.hi[a] += last_of(shifts_)[a];
    if (extent[a] == 0)
      extent[a] = all.extent(a);
  }
  box3 const whole = all;
  auto const ends = ends_of_shares(grid);
  std::vector<tile> tiles;
  tile in_share;
  in_share.share = ends.empty() ? -1 : 0;
  for (std::int64_t const end : ends) {
    box3 slab = all, joint = all;
    slab.hi[slowest_] = joint.lo[slowest_] = joint.hi[slowest_] = all.lo[slowest_] = end;
    add_tiles(tiles, slab, extent, in_share);
    add_tiles(tiles, joint, extent, {.share = in_share.share, .is_joint = true});
    in_share = {.share = in_share.share + 1, .end_of_share = end};
  }
  add_tiles(tiles, all, extent, in_share);
  open_ends(tiles, whole);
  return tiles;
}

std::unique_ptr<step_tiling> grid_space::tiling(step_dataflow const& flow,
                                                computed_regions const& regions,
                                                tile_settings const& settings) const {
  return std::make_unique<step_tiles>(
      flow, regions, settings.is_fused ? tile_shape_for(flow, *this, settings.extent) : index3{});
}

} // namespace seam::detail
