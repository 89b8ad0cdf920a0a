#include <seam/stencil/detail/step_turns.hpp>

#include <seam/stencil/detail/decomposition.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// The axis across which blocks are divided into parts: the slowest one but that of the order.
int axis_of_parts(step_kernel const& kernel) {
  return kernel.space->axis_of(kernel.order.axis == 0 ? 1 : 0);
}

} // namespace

bool takes_turns(step_kernel const& kernel) {
  return kernel.order.is_on && kernel.processes_in_order() > 1;
}

int num_passes(step_kernel const& kernel) {
  if (!kernel.order.is_on)
    return kernel.num_colors;
  return kernel.processes_in_order() + kernel.num_parts - 1;
}

box3 turn_of(step_kernel const& kernel, int rank, int pass) {
  box3 block = kernel.space->owned_by(rank, kernel.on);
  if (!kernel.order.is_on)
    return block;
  int const processes = kernel.processes_in_order();
  int const coordinate = kernel.space->naming().coordinates(rank)[kernel.axis_of_order()];
  int const part = pass - (kernel.order.is_backward ? processes - 1 - coordinate : coordinate);
  if (part < 0 || part >= kernel.num_parts)
    return {};
  if (kernel.num_parts == 1)
    return block;
  int const across = axis_of_parts(kernel);
  std::int64_t const extent = block.extent(across), first = block.lo[across];
  block.lo[across] = first + first_cell_of(extent, kernel.num_parts, part);
  block.hi[across] = first + first_cell_of(extent, kernel.num_parts, part + 1);
  return block;
}

int parts_of_blocks(step_kernel const& kernel, int given) {
  constexpr std::int64_t most = 16, fewest_cells = 4096, fewest_layers = 8;
  constexpr std::int64_t fewest_in_rows = 64; // a few cache lines
  if (!takes_turns(kernel) || kernel.space->num_axes() == 1)
    return 1;
  if (given > 0)
    return given;
  index3 thinnest = kernel.space->cells();
  std::int64_t cells = 1;
  for (int a = 0; a < 3; ++a)
    cells *= thinnest[a] /= kernel.space->processes()[a];
  int const across = axis_of_parts(kernel);
  std::int64_t const layers = across == 2 ? fewest_in_rows : fewest_layers;
  return static_cast<int>(
      std::clamp<std::int64_t>(std::min(cells / fewest_cells, thinnest[across] / layers), 1, most));
}

} // namespace seam::detail
