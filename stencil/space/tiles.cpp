#include <seam/stencil/space/tiles.hpp>

#include <seam/exchange/steps/run/parallel.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// The axis to halve: the slowest one along which there is more than one cell.
int slowest_long_axis(box3 const& part) {
  for (int axis = 0; axis < 2; ++axis)
    if (part.extent(axis) > 1)
      return axis;
  return 2;
}

/// The slowest axis but `whole` along which there are enough cells to halve it; -1: none.
int slowest_other_axis(box3 const& part, int whole, std::int64_t fewest_in_row) {
  for (int axis = 0; axis < 3; ++axis)
    if (axis != whole && part.extent(axis) > (axis == 2 ? 2 * fewest_in_row - 1 : 1))
      return axis;
  return -1;
}

void append(std::vector<box3>& tiles, std::vector<box3> const& more) {
  tiles.insert(tiles.end(), more.begin(), more.end());
}

} // namespace

std::int64_t cells_of_a_tile(std::int64_t num_cells, std::int64_t bytes_of_cell) {
  constexpr std::int64_t worth_a_thread = 64 * 1024, worth_a_tile = 128 * 1024; // [bytes]
  constexpr std::int64_t most = 128 * 1024, tiles_for_a_thread = 2;
  std::int64_t const of_thread = num_cells / num_loop_threads();
  std::int64_t const least = std::max<std::int64_t>(1, worth_a_thread / bytes_of_cell);
  std::int64_t const fewest = std::max(least, std::min(of_thread, worth_a_tile / bytes_of_cell));
  return std::clamp(of_thread / tiles_for_a_thread, std::min(fewest, most), most);
}

std::int64_t ghosts_of_a_piece(std::int64_t num_ghosts) {
  constexpr std::int64_t fewest = 512, most = 16 * 1024, pieces_for_a_thread = 8;
  return std::clamp(num_ghosts / (pieces_for_a_thread * num_loop_threads()), fewest, most);
}

std::vector<box3> cut(box3 const& part, std::int64_t most_cells) {
  if (part.is_empty())
    return {};
  if (part.num_cells() <= most_cells)
    return {part};
  int const axis = slowest_long_axis(part);
  box3 low = part, high = part;
  low.hi[axis] = high.lo[axis] = part.lo[axis] + part.extent(axis) / 2;
  std::vector<box3> tiles = cut(low, most_cells);
  append(tiles, cut(high, most_cells));
  return tiles;
}

std::vector<box3> cut_along(box3 const& part, int axis, std::int64_t most_cells,
                            std::int64_t fewest_in_row) {
  if (part.is_empty())
    return {};
  int const across = slowest_other_axis(part, axis, fewest_in_row);
  if (part.num_cells() <= most_cells || across < 0)
    return {part};
  box3 low = part, high = part;
  low.hi[across] = high.lo[across] = part.lo[across] + part.extent(across) / 2;
  std::vector<box3> tiles = cut_along(low, axis, most_cells, fewest_in_row);
  append(tiles, cut_along(high, axis, most_cells, fewest_in_row));
  return tiles;
}

} // namespace seam::detail
