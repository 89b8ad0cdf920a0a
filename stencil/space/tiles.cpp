#include <seam/stencil/space/tiles.hpp>

#include <seam/exchange/steps/run/parallel.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// The slowest axis but `whole` along which there are enough cells to halve it; -1: none.
int axis_to_halve(box3 const& part, int whole, std::int64_t fewest_in_row) {
  for (int axis = 0; axis < 3; ++axis)
    if (axis != whole && part.extent(axis) > (axis == 2 ? 2 * fewest_in_row - 1 : 1))
      return axis;
  return -1;
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

std::vector<box3> cut(box3 const& part, std::int64_t most_cells, int whole,
                      std::int64_t fewest_in_row) {
  if (part.is_empty())
    return {};
  int const axis = axis_to_halve(part, whole, fewest_in_row);
  if (part.num_cells() <= most_cells || axis < 0)
    return {part};
  box3 low = part, high = part;
  low.hi[axis] = high.lo[axis] = part.lo[axis] + part.extent(axis) / 2;
  std::vector<box3> tiles = cut(low, most_cells, whole, fewest_in_row);
  auto const more = cut(high, most_cells, whole, fewest_in_row);
  tiles.insert(tiles.end(), more.begin(), more.end());
  return tiles;
}

} // namespace seam::detail
