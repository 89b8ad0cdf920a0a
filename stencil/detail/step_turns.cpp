#include <seam/stencil/detail/step_turns.hpp>

#include <seam/stencil/detail/decomposition.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// The axis across which blocks are divided into parts: the slowest one but that of the order.
constexpr int axis_of_parts(step_order const& order) { return order.axis == 0 ? 1 : 0; }

} // namespace

template <int D>
bool takes_turns(step_kernel<D> const& kernel) {
  return kernel.order.is_on && kernel.grid->processes()[kernel.order.axis] > 1;
}

template <int D>
int num_passes(step_kernel<D> const& kernel) {
  if (!kernel.order.is_on)
    return kernel.num_colors;
  return kernel.grid->processes()[kernel.order.axis] + kernel.num_parts - 1;
}

template <int D>
box<D> turn_of(step_kernel<D> const& kernel, int rank, int pass) {
  box<D> block = kernel.grid->owned_by(rank, kernel.on);
  if (!kernel.order.is_on)
    return block;
  int const axis = kernel.order.axis;
  int const processes = kernel.grid->processes()[axis];
  int const coordinate = kernel.grid->naming().coordinates(rank)[axis];
  int const part = pass - (kernel.order.is_backward ? processes - 1 - coordinate : coordinate);
  if (part < 0 || part >= kernel.num_parts)
    return {};
  if (kernel.num_parts == 1)
    return block;
  int const across = axis_of_parts(kernel.order);
  std::int64_t const extent = block.extent(across), first = block.lo[across];
  block.lo[across] = first + first_cell_of(extent, kernel.num_parts, part);
  block.hi[across] = first + first_cell_of(extent, kernel.num_parts, part + 1);
  return block;
}

template <int D>
int parts_of_blocks(step_kernel<D> const& kernel, int given) {
  constexpr std::int64_t most = 16, fewest_cells = 4096, fewest_layers = 8;
  constexpr std::int64_t fewest_in_rows = 64; // a few cache lines
  if (D == 1 || !takes_turns<D>(kernel))
    return 1;
  if (given > 0)
    return given;
  cell_index<D> thinnest = kernel.grid->cells();
  std::int64_t cells = 1;
  for (int a = 0; a < D; ++a)
    cells *= thinnest[a] /= kernel.grid->processes()[a];
  int const across = axis_of_parts(kernel.order);
  std::int64_t const layers = across == D - 1 ? fewest_in_rows : fewest_layers;
  return static_cast<int>(
      std::clamp<std::int64_t>(std::min(cells / fewest_cells, thinnest[across] / layers), 1, most));
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template bool takes_turns(step_kernel<D> const&);                                                \
  template int num_passes(step_kernel<D> const&);                                                  \
  template box<D> turn_of(step_kernel<D> const&, int, int);                                        \
  template int parts_of_blocks(step_kernel<D> const&, int);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail
