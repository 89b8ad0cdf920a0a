#include <seam/stencil/detail/field_state.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace seam::detail {
namespace {

template <int D>
bool reaches(ghost_width<D> const& wide, ghost_width<D> const& width) {
  for (int a = 0; a < D; ++a)
    if (wide.below[a] < width.below[a] || wide.above[a] < width.above[a])
      return false;
  return true;
}

/// The address of the value at `at` in memory of values of `bytes` bytes.
template <int D>
std::byte* address_of(component_memory<D> const& memory, cell_index<D> const& at,
                      std::int64_t bytes) {
  std::int64_t offset = 0, step = bytes;
  for (int a = D - 1; a >= 0; --a) {
    offset += at[a] * step;
    step *= memory.local.extent(a);
  }
  return memory.origin + offset;
}

} // namespace

template <int D>
std::vector<border<D>> borders_of(Grid<D> const& grid, centering on, ghost_width<D> const& width) {
  std::vector<border<D>> borders;
  box<D> const global = grid.owned(on), owned{{}, global.extents()};
  box<D> const local = grow(owned, width.below, width.above);
  for (int axis = 0; axis < D; ++axis) {
    if (grid.is_periodic(axis))
      continue;
    box<D> low = local, high = local;
    low.hi[axis] = std::max(local.lo[axis], -global.lo[axis]);
    high.lo[axis] = std::min(local.hi[axis], grid.domain(on).hi[axis] - global.lo[axis]);
    borders.push_back({axis, side::low, low});
    borders.push_back({axis, side::high, high});
  }
  return borders;
}

template <int D>
field_state<D>::field_state(Grid<D> const& over, std::string its_name,
                            field_options const& declared, std::int64_t bytes,
                            std::function<void(std::byte*, std::int64_t)> set_to_default)
    : name(std::move(its_name)),
      grid(over),
      options(declared),
      element_bytes(bytes),
      width(over.ghosts()),
      set_to_default_(std::move(set_to_default)) {
  if (options.components < 1 || options.levels < 1)
    throw usage_error(fmt::format("field '{}': {} components and {} levels (expected at least 1)",
                                  name, options.components, options.levels),
                      true);
  for (int level = 0; level < options.levels; ++level)
    buffers.push_back(new_buffer());
  for (border<D> const& where : borders_of<D>(grid, options.on, width))
    borders.push_back({where, {}, {}});
}

/// Memory with its first values. The threads that will compute on the pages are the first to touch
/// them.
template <int D>
std::shared_ptr<std::byte> field_state<D>::new_buffer() const {
  std::int64_t const count = options.components * local().num_cells();
  auto memory = allocate_bytes(grid.base(), count * element_bytes);
  set_to_default_(memory.get(), count);
  return memory;
}

template <int D>
component_memory<D> field_state<D>::component(std::shared_ptr<std::byte> const& buffer,
                                              int component) const {
  component_memory<D> memory{buffer.get() + component * bytes_of_component(), local()};
  cell_index<D> origin{};
  for (int a = 0; a < D; ++a)
    origin[a] = width.below[a];
  memory.origin = address_of<D>(memory, origin, element_bytes);
  return memory;
}

template <int D>
void field_state<D>::require(ghost_width<D> const& least, int num_buffers) {
  ghost_width<D> wider = width;
  for (int a = 0; a < D; ++a) {
    wider.below[a] = std::max(wider.below[a], least.below[a]);
    wider.above[a] = std::max(wider.above[a], least.above[a]);
  }
  if (largest_of_all(grid.base().context(), reaches<D>(width, wider) ? 0 : 1) != 0)
    widen(wider);
  while (std::ssize(buffers) < num_buffers)
    buffers.push_back(new_buffer());
}

/// Moves all values to memory with wider ghosts.
template <int D>
void field_state<D>::widen(ghost_width<D> const& wider) {
  box<D> const kept = local();
  auto const old_buffers = std::move(buffers);
  std::vector<std::vector<component_memory<D>>> old(old_buffers.size());
  for (int b = 0; b < std::ssize(old); ++b)
    for (int c = 0; c < options.components; ++c)
      old[b].push_back(component(old_buffers[b], c));
  width = wider;
  buffers.clear();
  for (auto const& from : old) {
    buffers.push_back(new_buffer());
    for (int c = 0; c < options.components; ++c) {
      auto const to = component(buffers.back(), c);
      for_each_row(kept, [&](cell_index<D> const& first, std::int64_t end) {
        auto const row = (end - first[D - 1]) * element_bytes;
        std::memcpy(address_of<D>(to, first, element_bytes),
                    address_of<D>(from[c], first, element_bytes), row);
      });
    }
  }
  auto const now = borders_of<D>(grid, options.on, width);
  std::vector<filled_border<D>> remade;
  for (border<D> const& where : now) {
    remade.push_back({where, {}, {}});
    for (filled_border<D> const& before : borders)
      if (before.where.axis == where.axis && before.where.side == where.side)
        remade.back().makers = before.makers;
    for (auto const& make : remade.back().makers)
      remade.back().fills.push_back(make ? make(where) : border_fill<D>());
  }
  borders = std::move(remade);
}

template <int D>
void field_state<D>::set_condition(int axis, side end, int component,
                                   std::function<border_fill<D>(border<D> const&)> const& maker) {
  check_axis(axis);
  if (component < -1 || component >= options.components)
    refuse(fmt::format("field '{}': a boundary condition of component {} (expected 0 to {})", name,
                       component, options.components - 1));
  for (filled_border<D>& filled : borders) {
    if (filled.where.axis != axis || filled.where.side != end)
      continue;
    filled.makers.resize(options.components);
    filled.fills.resize(filled.makers.size());
    for (int c = 0; c < options.components; ++c)
      if (component == -1 || component == c) {
        filled.makers[c] = maker;
        filled.fills[c] = maker(filled.where);
      }
  }
}

template <int D>
void field_state<D>::check_axis(int axis) const {
  if (axis < 0 || axis >= D)
    refuse(fmt::format("field '{}': a boundary condition on axis {} (expected 0 to {})", name, axis,
                       D - 1));
}

template <int D>
void field_state<D>::check_borders() const {
  for (filled_border<D> const& filled : borders)
    if (!filled.where.ghosts.is_empty() && !filled.is_complete())
      refuse(
          fmt::format("field '{}': no boundary condition on the {} side of axis {} (expected one: "
                      "the grid is not periodic there and the neighborhood reaches across)",
                      name, filled.where.side == side::low ? "low" : "high", filled.where.axis));
}

template <int D>
void field_state<D>::fill_borders(box<D> const& part, by_threads threads) const {
  check_borders();
  for (filled_border<D> const& filled : borders)
    for (int c = 0; c < options.components; ++c)
      if (!filled.where.ghosts.is_empty())
        filled.fills[c](component(buffers.front(), c), intersection(filled.where.ghosts, part), 0.0,
                        threads);
}

template class field_state<1>;
template class field_state<2>;
template class field_state<3>;
template std::vector<border<1>> borders_of(Grid<1> const&, centering, ghost_width<1> const&);
template std::vector<border<2>> borders_of(Grid<2> const&, centering, ghost_width<2> const&);
template std::vector<border<3>> borders_of(Grid<3> const&, centering, ghost_width<3> const&);

} // namespace seam::detail
