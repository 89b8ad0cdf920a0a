#include <seam/stencil/fields/field_state.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/regions/decomposition.hpp>
#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/exchange/steps/stamps/ghost_stamps.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/stencil/fields/stale_words.hpp>
#include <seam/stencil/space/domain_images.hpp>
#include <seam/stencil/space/layout.hpp>
#include <seam/stencil/space/needed_values.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace seam::detail {
namespace {

/// The address of the value at `at` in memory of values of `bytes` bytes.
std::byte* address_of(component_memory const& memory, index3 const& at, std::int64_t bytes) {
  std::int64_t offset = 0, step = bytes;
  for (int a = 2; a >= 0; --a) {
    offset += at[a] * step;
    step *= memory.local.extent(a);
  }
  return memory.origin + offset;
}

} // namespace

std::vector<border<3>> borders_of(grid_space const& grid, centering on,
                                  ghost_width<3> const& width) {
  std::vector<border<3>> borders;
  box3 const domain = grid.relative(grid.domain(on));
  box3 const local = grow(grid.relative(grid.owned(on)), width.below, width.above);
  for (int axis = grid.first_axis(); axis < 3; ++axis) {
    if (grid.is_periodic(axis))
      continue;
    auto const [low, within, high] = slices_of(local, axis, domain.lo[axis], domain.hi[axis]);
    borders.push_back({axis, side::low, low});
    borders.push_back({axis, side::high, high});
  }
  return borders;
}

field_state::field_state(shared_space over, std::string its_name, field_options const& declared,
                         std::span<std::byte const> first_value, value_kind its_values,
                         lent_memory const& lent)
    : step_field(std::move(its_name), declared.components, declared.levels,
                 std::ssize(first_value)),
      space(std::move(over)),
      options(declared),
      values(its_values),
      width(space->ghosts()),
      first_value_(first_value.begin(), first_value.end()),
      lasting_name_(program_is_checked() ? lasting_name(name) : "") {
  constexpr int most_levels = 1024;
  if (options.components < 1 || options.levels < 1 || options.levels > most_levels)
    throw usage_error(
        fmt::format("field '{}': {} components and {} levels (expected at least 1, and "
                    "at most {} levels)",
                    name, options.components, options.levels, most_levels),
        true);
  if (options.on != on_corners && options.on.low_axes >> space->num_axes() != 0)
    throw usage_error(fmt::format("field '{}': values on faces of axis {} (expected 0 to {})", name,
                                  std::bit_width(options.on.low_axes) - 1, space->num_axes() - 1),
                      true);
  origins.resize(options.components);
  if (lent.first) {
    collectively(space->base().context(), [&] { check_lent(lent); });
    width = ghosts_of(lent);
    lent_ = with_own_stamps(lent.first);
    for (int c = 0; c < options.components; ++c)
      note_set(c);
    buffers.push_back(lent_);
  }
  while (std::ssize(buffers) < options.levels)
    buffers.push_back(new_buffer());
  for (border<3> const& where : borders_of(*space, options.on, width))
    borders.push_back({where, {}, {}});
}

field_state::~field_state() = default;

std::shared_ptr<field_state> make_field_state(shared_space space, std::string name,
                                              field_options const& options,
                                              std::span<std::byte const> first_value,
                                              value_kind values, lent_memory const& lent) {
  call_scope const here("Field", *space->base().calls());
  return std::make_shared<field_state>(std::move(space), std::move(name), options, first_value,
                                       values, lent);
}

/// The ghosts around a block in lent memory: as wide on both sides of an axis, or as the grid's.
ghost_width<3> field_state::ghosts_of(lent_memory const& lent) const {
  ghost_width<3> made = space->ghosts();
  index3 const own = owned().extents();
  for (int a = space->first_axis(); a < 3; ++a) {
    std::int64_t const more = *(lent.extents.end() - 3 + a) - own[a];
    if (more != made.below[a] + made.above[a])
      made.below[a] = made.above[a] = more / 2;
  }
  return made;
}

/// Refuses memory that is no block of the field with ghosts around it.
void field_state::check_lent(lent_memory const& lent) const {
  if (!lent.is_owned)
    refuse(
        fmt::format("field '{}': a view that does not own its memory (expected one that does, or "
                    "memory_lifetime::of_caller: it outlives the field and what uses it)",
                    name));
  if (options.levels != 1)
    refuse(fmt::format("field '{}': {} levels on a view (expected one)", name, options.levels));
  if (!lent.is_dense)
    refuse(fmt::format("field '{}': a view with gaps, or whose last axis is not the contiguous one "
                       "(expected LayoutRight)",
                       name));
  int const axes = space->num_axes(), more = static_cast<int>(std::ssize(lent.extents)) - axes;
  bool fits =
      more == 0 ? options.components == 1 : more == 1 && lent.extents.front() == options.components;
  std::vector<std::int64_t> least;
  if (more == 1)
    least.push_back(options.components);
  for (int a = space->first_axis(); a < 3; ++a) {
    std::int64_t const below = space->ghosts().below[a], above = space->ghosts().above[a];
    std::int64_t const own = owned().extent(a), found = lent.extents[a - 3 + more + axes];
    least.push_back(own + below + above);
    bool const is_wider = (found - own) % 2 == 0 && (found - own) / 2 >= std::max(below, above);
    fits = fits && (found == least.back() || is_wider);
  }
  if (!fits)
    refuse(
        fmt::format("field '{}': a view of {} values for {} component{} (expected {} on rank {}: "
                    "its block with ghosts, or more ghosts, as many on both sides)",
                    name, fmt::join(lent.extents, "x"), options.components,
                    options.components > 1 ? "s" : "", fmt::join(least, "x"), space->rank()));
}

void field_state::return_to_lender() {
  if (!lent_ || buffers.front() == lent_)
    return;
  detail::parts_of<1> const pieces(box<1>{{0}, {num_bytes()}});
  parallel_for_parts("seam::return", pieces.size(), [&](int part) {
    auto const bytes = pieces[part];
    std::memcpy(lent_.get() + bytes.lo[0], buffers.front().get() + bytes.lo[0], bytes.extent(0));
  });
  keep_stamps(buffers.front(), local(), lent_);
  std::iter_swap(buffers.begin(), std::ranges::find(buffers, lent_));
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
std::shared_ptr<std::byte> field_state::new_buffer() const {
  std::int64_t const count = options.components * local().num_cells();
  auto memory = allocate_apart(space->base(), count * element_bytes);
  fill_memory(memory.get(), count, first_value_);
  return with_own_stamps(memory);
}

/// Memory of a buffer that, in checked mode, knows what its ghosts hold.
std::shared_ptr<std::byte> field_state::with_own_stamps(
    std::shared_ptr<std::byte> const& memory) const {
  if (!program_is_checked() || !checks_are_on())
    return memory;
  buffer_layout const layout{space, options, local()};
  auto const words = [layout](char const* field, std::int64_t ghost, stale_reason why) {
    return words_of_stale_ghost(layout, field, ghost, why);
  };
  auto const stamps = std::make_shared<ghost_stamps>(
      memory.get(), element_bytes, values == value_kind::boolean, kinds_of_elements(layout), words);
  stamps->belong_to(lasting_name_);
  return with_stamps(memory, stamps);
}

component_memory field_state::component(std::shared_ptr<std::byte> const& buffer,
                                        int component) const {
  component_memory memory{buffer.get() + component * bytes_of_component(), local()};
  index3 origin{};
  for (int a = 0; a < 3; ++a)
    origin[a] = width.below[a];
  memory.origin = address_of(memory, origin, element_bytes);
  return memory;
}

region field_state::region_of(int component, box3 const& global) const {
  region where = detail::region_of(space->relative(global), local());
  where.offset += component * local().num_cells();
  return where;
}

void field_state::require(step_region const& least, int num_buffers) {
  box3 const own = space->owned(options.on);
  ghost_width<3> needed;
  for (int a = 0; a < 3; ++a) {
    needed.below[a] = own.lo[a] - least.box().lo[a];
    needed.above[a] = least.box().hi[a] - own.hi[a];
  }
  ghost_width<3> const wide = wider(width, needed);
  if (largest_of_all(space->base().context(), wide == width ? 0 : 1) != 0)
    widen(wide);
  while (std::ssize(buffers) < num_buffers)
    buffers.push_back(new_buffer());
}

/// Moves all values to memory with wider ghosts.
void field_state::widen(ghost_width<3> const& wider) {
  if (lent_)
    collectively(space->base().context(), [&] {
      refuse(
          fmt::format("field '{}': kernels read {} ghosts below and {} above the block, which its "
                      "view does not have (expected a view with wider ghosts, or less fusion)",
                      name, fmt::join(space->entries_of(wider.below), "x"),
                      fmt::join(space->entries_of(wider.above), "x")));
    });
  box3 const kept = local();
  auto const old_buffers = std::move(buffers);
  std::vector<std::vector<component_memory>> old(old_buffers.size());
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
      for_each_row(kept, [&](index3 const& first, std::int64_t end) {
        auto const row = (end - first[2]) * element_bytes;
        std::memcpy(address_of(to, first, element_bytes), address_of(from[c], first, element_bytes),
                    row);
      });
    }
    keep_stamps(old_buffers[buffers.size() - 1], kept, buffers.back());
  }
  auto const now = borders_of(*space, options.on, width);
  for (int k = 0; k < std::ssize(borders); ++k)
    borders[k] = borders[k].at(now[k]);
}

/// Gives a buffer with wider ghosts the stamps of the one before.
/// @param kept  the values of `from`
void field_state::keep_stamps(std::shared_ptr<std::byte> const& from, box3 const& kept,
                              std::shared_ptr<std::byte> const& to) const {
  auto const old = stamps_of(from), now = stamps_of(to);
  if (!old || !now)
    return;
  now->take_state(*old);
  for (int c = 0; c < options.components; ++c)
    for_each_row(kept, [&](index3 const& first, std::int64_t end) {
      now->take_stamps(*old, c * kept.num_cells() + number_in(first, kept),
                       c * local().num_cells() + number_in(first, local()), end - first[2]);
    });
}

void field_state::set_condition(int axis, side end, int component,
                                component_condition const& condition) {
  check_condition(axis, component, condition);
  for (filled_border& filled : borders)
    if (filled.where.axis == space->axis_of(axis) && filled.where.side == end) {
      filled.conditions.resize(options.components);
      for (int c = 0; c < options.components; ++c)
        if ((component == -1 || component == c) && !filled.conditions[c].is_due_as(condition))
          ++times_sources_changed;
      filled.put(component, options.components, condition);
    }
}

void field_state::check_condition(int axis, int component,
                                  component_condition const& condition) const {
  check_axis(axis);
  if (component < -1 || component >= options.components)
    refuse(fmt::format("field '{}': a boundary condition of component {} (expected 0 to {})", name,
                       component, options.components - 1));
  int const a = space->axis_of(axis);
  std::int64_t const num_values = space->domain(options.on).extent(a);
  if (!space->is_periodic(a) && condition.num_seen > num_values)
    refuse(fmt::format("field '{}': a boundary condition on axis {} that sees {} values (expected "
                       "at most the {} that lie along it)",
                       name, axis, condition.num_seen, num_values));
  check_source(condition.source);
}

void field_state::check_source(border_source const& source) const {
  auto const other = source.field.lock();
  if (!source.is_used() || !other)
    return;
  if (other->space != space || other->options.on != options.on)
    refuse(fmt::format("field '{}': a boundary condition that reads '{}' (expected a field on the "
                       "same grid, at the same places of its cells)",
                       name, other->name));
  if (source.component >= other->options.components)
    refuse(fmt::format("field '{}': a boundary condition that reads component {} of '{}' (expected "
                       "0 to {})",
                       name, source.component, other->name, other->options.components - 1));
}

bool field_state::has_fixed_borders(int component) const {
  return std::ranges::all_of(borders, [&](filled_border const& filled) {
    return component < std::ssize(filled.conditions) && filled.conditions[component].is_fixed;
  });
}

seen_values field_state::seen(step_conditions const* own) const {
  seen_values most{};
  for (int k = 0; k < std::ssize(borders); ++k)
    for (int c = 0; c < components; ++c) {
      auto const& border = border_of(own, k, c);
      auto& here = most[border.where.axis][border.where.side == side::low ? 0 : 1];
      if (border.has_condition(c))
        here = std::max(here, border.conditions[c].num_seen);
    }
  return most;
}

std::shared_ptr<field_state> field_state::source_of(filled_border const& filled,
                                                    int component) const {
  auto source = filled.conditions[component].source.field.lock();
  if (!source)
    refuse(fmt::format("field '{}': the boundary condition on the {} side of axis {} reads a field "
                       "that is gone (expected it to live as long as the condition is used)",
                       name, filled.where.side == side::low ? "low" : "high",
                       space->number_of(filled.where.axis)));
  return source;
}

void field_state::check_axis(int axis) const {
  if (axis < 0 || axis >= space->num_axes())
    refuse(fmt::format("field '{}': a boundary condition on axis {} (expected 0 to {})", name, axis,
                       space->num_axes() - 1));
}

void field_state::check_borders() const {
  for (filled_border const& filled : borders)
    if (!filled.where.ghosts.is_empty() && !filled.is_complete())
      refuse(
          fmt::format("field '{}': no boundary condition on the {} side of axis {} (expected one: "
                      "the grid is not periodic there and the neighborhood reaches across)",
                      name, filled.where.side == side::low ? "low" : "high",
                      space->number_of(filled.where.axis)));
}

/// Refuses conditions that see beyond the values that are there outside of steps: those of the block at
/// the border, and the ghosts that a halo brings, unless tiles do not wait for all.
void field_state::check_seen(bool by_tiles) const {
  auto const all = seen(nullptr);
  for (border<3> const& where : borders_of(*space, options.on, width)) {
    int const a = where.axis, parts = space->processes()[a];
    bool const is_low = where.side == side::low;
    std::int64_t const cells = space->cells()[a], num_seen = all[a][is_low ? 0 : 1];
    std::int64_t there =
        is_low ? first_cell_of(cells, parts, 1)
               : space->domain(options.on).hi[a] - first_cell_of(cells, parts, parts - 1);
    if (parts == 1)
      there = space->domain(options.on).extent(a);
    else if (!by_tiles)
      there += is_low ? space->ghosts().above[a] : space->ghosts().below[a];
    if (num_seen > there)
      throw usage_error(
          fmt::format("field '{}': a boundary condition on the {} side of axis {} sees {} values, "
                      "where {} are there (expected thicker blocks, a wider neighborhood, or "
                      "steps)",
                      name, is_low ? "low" : "high", space->number_of(a), num_seen, there),
          true);
  }
}

void field_state::fill_borders(box3 const& part, by_threads threads) const {
  check_borders();
  check_seen(threads == by_threads::caller);
  for (filled_border const& filled : borders)
    for (int c = 0; c < options.components; ++c)
      if (!filled.where.ghosts.is_empty()) {
        box3 const ghosts = intersection(filled.where.ghosts, part);
        filled.fills[c](component(buffers.front(), c), ghosts, inputs_of(filled, c), threads);
        note_filled(buffers.front(), filled, c, ghosts);
      }
}

/// What the condition of a component reads beside it.
border_inputs field_state::inputs_of(filled_border const& filled, int which) const {
  auto const& source = filled.conditions[which].source;
  if (!source.is_used())
    return {};
  auto const other = source_of(filled, which);
  return {0.0, other->component(other->buffers.front(), source.component)};
}

/// True if what the condition of a component reads of another field for the ghost at `at` is owned, or
/// a ghost that is current.
bool field_state::may_read_beside(filled_border const& filled, int which, index3 const& at) const {
  auto const& source = filled.conditions[which].source;
  if (!source.is_used())
    return true;
  auto const other = source_of(filled, which);
  auto const* const stamps = other->stamps(other->buffers.front());
  domain_images const images(*space, options.on, space->owned(options.on).lo);
  return stamps == nullptr || stamps->may_be_read(source.component * other->local().num_cells() +
                                                  number_in(images.inside(at), other->local()));
}

void field_state::note_filled(std::shared_ptr<std::byte> const& buffer, filled_border const& by,
                              int component, box3 const& part) const {
  auto const stamps = stamps_of(buffer);
  if (!stamps || part.is_empty())
    return;
  stamps->settle();
  std::int64_t const first = component * local().num_cells();
  index3 const to_global = space->owned(options.on).lo;
  border_ghosts const where{by.where.axis, by.where.side, shift(part, to_global)};
  box3 const inside = mirror_image(*space, options.on, where);
  int const a = by.where.axis;
  bool const is_low = by.where.side == side::low;
  std::int64_t const num_seen = by.conditions[component].num_seen;
  box3 const domain = shift(space->domain(options.on), negated(to_global));
  auto const may_see = [&](index3 at) {
    for (std::int64_t k = 0; k < num_seen; ++k) {
      at[a] = is_low ? domain.lo[a] + k : domain.hi[a] - 1 - k;
      if (!stamps->may_be_read(first + number_in(at, local())))
        return false;
    }
    return true;
  };
  for_each_cell(part, [&](index3 const& ghost) {
    index3 mirrored = ghost;
    mirrored[a] = inside.hi[a] - 1 - to_global[a] - (ghost[a] - part.lo[a]);
    if (may_see(ghost) && may_read_beside(by, component, ghost))
      stamps->note_filled(first + number_in(ghost, local()), first + number_in(mirrored, local()),
                          by.conditions[component].is_fixed);
  });
}

void field_state::note_change() const {
  for (auto const& buffer : buffers)
    if (auto const stamps = stamps_of(buffer))
      stamps->note_change();
}

std::vector<filled_border>& own_borders_of(field_state const& field,
                                           std::shared_ptr<step_conditions>& conditions) {
  if (!conditions) {
    auto made = std::make_shared<own_borders>();
    for (filled_border const& border : field.borders)
      made->borders.push_back({border.where, {}, {}});
    conditions = made;
  }
  return static_cast<own_borders&>(*conditions).borders;
}

filled_border const& field_state::border_of(step_conditions const* own, int k, int which) const {
  if (own != nullptr)
    if (auto const& of_kernel = static_cast<own_borders const&>(*own).borders[k];
        of_kernel.has_condition(which))
      return of_kernel;
  return borders[k];
}

read_beyond field_state::beyond(step_conditions const* own) const {
  read_beyond read;
  for (int k = 0; k < std::ssize(borders); ++k)
    for (int c = 0; c < components; ++c) {
      filled_border const& border = border_of(own, k, c);
      if (!border.has_condition(c))
        continue;
      auto const& condition = border.conditions[c];
      read.reads_time = read.reads_time || condition.reads_time;
      read.reads_values = read.reads_values || condition.reads_values;
      read.num_seen = std::max(read.num_seen, condition.num_seen);
      if (condition.source.is_used())
        read.fields.push_back(source_of(border, c));
    }
  return read;
}

void field_state::adapt(step_conditions& own) const {
  auto& all = static_cast<own_borders&>(own).borders;
  for (int k = 0; k < std::ssize(all); ++k)
    all[k] = all[k].at(borders[k].where);
}

std::string field_state::ghosts_in_words() const {
  return fmt::format("ghosts {} below and {} above", fmt::join(space->entries_of(width.below), "x"),
                     fmt::join(space->entries_of(width.above), "x"));
}

bool field_state::is_like(step_field const& other) const {
  auto const* const field = dynamic_cast<field_state const*>(&other);
  return field != nullptr && field->space == space && field->element_bytes == element_bytes &&
         field->options.on == options.on && field->components == components;
}

std::vector<step_region> field_state::parts_of(step_region const& part) const {
  auto const zones = cut_by_zones(part.box(), space->owned(options.on));
  return {zones.begin(), zones.end()};
}

bound_access field_state::bound(step_kernel const& kernel, step_access const& access,
                                std::shared_ptr<std::byte> const& from,
                                std::shared_ptr<std::byte> const& to) const {
  bound_access made;
  made.read = from ? component(from, access.first).origin : nullptr;
  made.write = to ? component(to, access.first).origin : nullptr;
  made.component_stride = 1;
  for (int axis = 2; axis >= 0; --axis) {
    made.stride[axis] = made.component_stride;
    made.component_stride *= local().extent(axis);
  }
  made.multiplier = access.multiplier;
  made.divisor = access.divisor;
  made.field_first = space->owned().lo;
  if (kernel.space)
    made.kernel_first = static_cast<grid_space const&>(*kernel.space).owned().lo;
  return made;
}

/// A buffer has the name of the field that it was in when it was looked at last.
ghost_stamps* field_state::stamps(std::shared_ptr<std::byte> const& buffer) const {
  auto const its = stamps_of(buffer);
  if (its)
    its->belong_to(lasting_name_);
  return its.get();
}

void field_state::vouch_for_ghosts() const {
  if (auto* const its = stamps(buffers.front()))
    its->vouch_for_ghosts();
}

void field_state::check_view(int component, int level) const {
  if (component < 0 || component >= options.components || level > 0 || -level >= options.levels)
    refuse(fmt::format("field '{}': component {} of level {} (expected components from 0 to {} and "
                       "levels from 0 down to {})",
                       name, component, level, options.components - 1, 1 - options.levels));
}

std::shared_ptr<array_watch> field_state::watch(bool out_of_reach_too) const {
  auto stamps = stamps_of(buffers.front());
  return stamps ? std::make_shared<stamped_array>(std::move(stamps), out_of_reach_too) : nullptr;
}

} // namespace seam::detail
