#include <seam/stencil/detail/field_state.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/stencil/detail/domain_images.hpp>
#include <seam/stencil/detail/ghost_stamps.hpp>
#include <seam/stencil/detail/needed_values.hpp>
#include <seam/stencil/detail/parallel.hpp>
#include <seam/stencil/detail/stale_words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
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
                            field_options const& declared, std::span<std::byte const> first_value,
                            bool is_bool)
    : name(std::move(its_name)),
      grid(over),
      options(declared),
      element_bytes(std::ssize(first_value)),
      width(over.ghosts()),
      first_value_(first_value.begin(), first_value.end()),
      is_bool_(is_bool),
      lasting_name_(views_are_watched ? lasting_name(name) : "") {
  constexpr int most_levels = 1024;
  if (options.components < 1 || options.levels < 1 || options.levels > most_levels)
    throw usage_error(
        fmt::format("field '{}': {} components and {} levels (expected at least 1, and "
                    "at most {} levels)",
                    name, options.components, options.levels, most_levels),
        true);
  if (options.on != on_corners && options.on.low_axes >> D != 0)
    throw usage_error(fmt::format("field '{}': values on faces of axis {} (expected 0 to {})", name,
                                  std::bit_width(options.on.low_axes) - 1, D - 1),
                      true);
  for (int level = 0; level < options.levels; ++level)
    buffers.push_back(new_buffer());
  for (border<D> const& where : borders_of<D>(grid, options.on, width))
    borders.push_back({where, {}, {}});
}

template <int D>
field_state<D>::~field_state() = default;

template <int D>
std::shared_ptr<field_state<D>>
make_field_state(Grid<D> const& grid, std::string name, field_options const& options,
                 std::span<std::byte const> first_value, bool is_bool) {
  call_scope const here("Field", *grid.base().calls());
  return std::make_shared<field_state<D>>(grid, std::move(name), options, first_value, is_bool);
}

/// Memory whose beginning differs from that of others in the bits that caches go by: rows of several
/// buffers at the same cells do not compete for the same few places there.
std::shared_ptr<std::byte> allocate_apart(Communicator const& over, std::int64_t bytes) {
  constexpr std::int64_t page = 4096, distance = 5 * cache_line;
  static std::atomic<std::int64_t> num_buffers = 0;
  std::int64_t const ahead = num_buffers.fetch_add(1, std::memory_order_relaxed) * distance % page;
  auto const memory = allocate_bytes(over, bytes + ahead);
  return {memory, memory.get() + ahead};
}

/// Gives `count` elements one value. The threads that will compute on the pages are the first to
/// touch them.
void fill_memory(std::byte* memory, std::int64_t count, std::span<std::byte const> value) {
  bool const is_zero =
      std::ranges::all_of(value, [](std::byte byte) { return byte == std::byte{0}; });
  parts_of<1> const parts(box<1>{{0}, {count}});
  parallel_for_parts("seam::zero", parts.size(), [&](int part) {
    box<1> const elements = parts[part];
    std::byte* const begin = memory + elements.lo[0] * std::ssize(value);
    if (is_zero)
      std::memset(begin, 0, elements.extent(0) * value.size());
    else
      for (std::int64_t n = 0; n < elements.extent(0); ++n)
        std::memcpy(begin + n * std::ssize(value), value.data(), value.size());
  });
}

/// Memory with its first values.
template <int D>
std::shared_ptr<std::byte> field_state<D>::new_buffer() const {
  std::int64_t const count = options.components * local().num_cells();
  auto memory = allocate_apart(grid.base(), count * element_bytes);
  fill_memory(memory.get(), count, first_value_);
  if (!views_are_watched || !checks_are_on())
    return memory;
  buffer_layout<D> const layout{grid, options, local()};
  auto const words = [layout](char const* field, std::int64_t ghost, stale_reason why) {
    return words_of_stale_ghost(layout, field, ghost, why);
  };
  auto const stamps = std::make_shared<ghost_stamps>(memory.get(), element_bytes, is_bool_,
                                                     kinds_of_elements(layout), words);
  stamps->belong_to(lasting_name_);
  return with_stamps(memory, stamps);
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
  ++times_widened;
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
    keep_stamps(old_buffers[buffers.size() - 1], kept, buffers.back());
  }
  auto const now = borders_of<D>(grid, options.on, width);
  for (int k = 0; k < std::ssize(borders); ++k)
    borders[k] = borders[k].at(now[k]);
}

/// Gives a buffer with wider ghosts the stamps of the one before.
/// @param kept  the values of `from`
template <int D>
void field_state<D>::keep_stamps(std::shared_ptr<std::byte> const& from, box<D> const& kept,
                                 std::shared_ptr<std::byte> const& to) const {
  auto const old = stamps_of(from), now = stamps_of(to);
  if (!old || !now)
    return;
  now->take_state(*old);
  for (int c = 0; c < options.components; ++c)
    for_each_row(kept, [&](cell_index<D> const& first, std::int64_t end) {
      now->take_stamps(*old, c * kept.num_cells() + number_in<D>(first, kept),
                       c * local().num_cells() + number_in<D>(first, local()), end - first[D - 1]);
    });
}

template <int D>
void field_state<D>::set_condition(int axis, side end, int component,
                                   component_condition<D> const& condition) {
  check_condition(axis, component, condition);
  for (filled_border<D>& filled : borders)
    if (filled.where.axis == axis && filled.where.side == end) {
      filled.conditions.resize(options.components);
      for (int c = 0; c < options.components; ++c)
        if ((component == -1 || component == c) && !filled.conditions[c].is_due_as(condition))
          ++times_sources_changed;
      filled.put(component, options.components, condition);
    }
}

template <int D>
void field_state<D>::check_condition(int axis, int component,
                                     component_condition<D> const& condition) const {
  check_axis(axis);
  if (component < -1 || component >= options.components)
    refuse(fmt::format("field '{}': a boundary condition of component {} (expected 0 to {})", name,
                       component, options.components - 1));
  check_source(condition.source);
}

template <int D>
void field_state<D>::check_source(border_source<D> const& source) const {
  auto const other = source.field.lock();
  if (!source.is_used() || !other)
    return;
  if (!(other->grid == grid) || other->options.on != options.on)
    refuse(fmt::format("field '{}': a boundary condition that reads '{}' (expected a field on the "
                       "same grid, at the same places of its cells)",
                       name, other->name));
  if (source.component >= other->options.components)
    refuse(fmt::format("field '{}': a boundary condition that reads component {} of '{}' (expected "
                       "0 to {})",
                       name, source.component, other->name, other->options.components - 1));
}

template <int D>
bool field_state<D>::has_fixed_borders(int component) const {
  return std::ranges::all_of(borders, [&](filled_border<D> const& filled) {
    return component < std::ssize(filled.conditions) && filled.conditions[component].is_fixed;
  });
}

template <int D>
std::shared_ptr<field_state<D>> field_state<D>::source_of(filled_border<D> const& filled,
                                                          int component) const {
  auto source = filled.conditions[component].source.field.lock();
  if (!source)
    refuse(fmt::format("field '{}': the boundary condition on the {} side of axis {} reads a field "
                       "that is gone (expected it to live as long as the condition is used)",
                       name, filled.where.side == side::low ? "low" : "high", filled.where.axis));
  return source;
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
      if (!filled.where.ghosts.is_empty()) {
        box<D> const ghosts = intersection(filled.where.ghosts, part);
        filled.fills[c](component(buffers.front(), c), ghosts, inputs_of(filled, c), threads);
        note_filled(buffers.front(), filled, c, ghosts);
      }
}

/// What the condition of a component reads beside it.
template <int D>
border_inputs<D> field_state<D>::inputs_of(filled_border<D> const& filled, int which) const {
  auto const& source = filled.conditions[which].source;
  if (!source.is_used())
    return {};
  auto const other = source_of(filled, which);
  return {0.0, other->component(other->buffers.front(), source.component)};
}

/// True if what the condition of a component reads of another field for the ghost at `at` is owned, or
/// a ghost that is current.
template <int D>
bool field_state<D>::may_read_beside(filled_border<D> const& filled, int which,
                                     cell_index<D> const& at) const {
  auto const& source = filled.conditions[which].source;
  if (!source.is_used())
    return true;
  auto const other = source_of(filled, which);
  auto const* const stamps = other->stamps(other->buffers.front());
  domain_images<D> const images(grid, options.on, grid.owned(options.on).lo);
  return stamps == nullptr || stamps->may_be_read(source.component * other->local().num_cells() +
                                                  number_in<D>(images.inside(at), other->local()));
}

template <int D>
void field_state<D>::note_filled(std::shared_ptr<std::byte> const& buffer,
                                 filled_border<D> const& by, int component,
                                 box<D> const& part) const {
  auto const stamps = stamps_of(buffer);
  if (!stamps || part.is_empty())
    return;
  stamps->settle();
  std::int64_t const first = component * local().num_cells();
  cell_index<D> const to_global = grid.owned(options.on).lo;
  border_ghosts<D> const where{by.where.axis, by.where.side, shift(part, to_global)};
  box<D> const inside = mirror_image<D>(grid, options.on, where);
  int const a = by.where.axis;
  for_each_cell(part, [&](cell_index<D> const& ghost) {
    cell_index<D> mirrored = ghost;
    mirrored[a] = inside.hi[a] - 1 - to_global[a] - (ghost[a] - part.lo[a]);
    if (may_read_beside(by, component, ghost))
      stamps->note_filled(first + number_in<D>(ghost, local()),
                          first + number_in<D>(mirrored, local()),
                          by.conditions[component].is_fixed);
  });
}

template <int D>
void field_state<D>::note_change() const {
  for (auto const& buffer : buffers)
    if (auto const stamps = stamps_of(buffer))
      stamps->note_change();
}

/// A buffer has the name of the field that it was in when it was looked at last.
template <int D>
ghost_stamps* field_state<D>::stamps(std::shared_ptr<std::byte> const& buffer) const {
  auto const its = stamps_of(buffer);
  if (its)
    its->belong_to(lasting_name_);
  return its.get();
}

template <int D>
void field_state<D>::vouch_for_ghosts() const {
  if (auto* const its = stamps(buffers.front()))
    its->vouch_for_ghosts();
}

template <int D>
void field_state<D>::check_view(int component, int level) const {
  if (component < 0 || component >= options.components || level > 0 || -level >= options.levels)
    refuse(fmt::format("field '{}': component {} of level {} (expected components from 0 to {} and "
                       "levels from 0 down to {})",
                       name, component, level, options.components - 1, 1 - options.levels));
}

template <int D>
std::shared_ptr<array_watch> field_state<D>::watch(bool out_of_reach_too) const {
  auto stamps = stamps_of(buffers.front());
  return stamps ? std::make_shared<stamped_array>(std::move(stamps), out_of_reach_too) : nullptr;
}

template class field_state<1>;
template class field_state<2>;
template class field_state<3>;

#define SEAM_FIELD_STATE(D)                                                                        \
  template std::vector<border<D>> borders_of(Grid<D> const&, centering, ghost_width<D> const&);    \
  template std::shared_ptr<field_state<D>> make_field_state(                                       \
      Grid<D> const&, std::string, field_options const&, std::span<std::byte const>, bool);
SEAM_FIELD_STATE(1)
SEAM_FIELD_STATE(2)
SEAM_FIELD_STATE(3)

} // namespace seam::detail
