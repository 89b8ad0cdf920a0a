#include <seam/stencil/fields/field_state.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/regions/decomposition.hpp>
#include <seam/exchange/steps/stamps/ghost_stamps.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/stencil/fields/stale_words.hpp>
#include <seam/stencil/space/domain_images.hpp>
#include <seam/stencil/space/needed_values.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seam::detail {

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
    : field_arrays(std::move(over), std::move(its_name), declared, first_value, its_values, lent) {
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

/// Borders have the conditions that they had, with wider ghosts.
void field_state::require(step_region const& least, int num_buffers) {
  int const before = times_widened;
  field_arrays::require(least, num_buffers);
  if (times_widened == before)
    return;
  auto const now = borders_of(*space, options.on, width);
  for (int k = 0; k < std::ssize(borders); ++k)
    borders[k] = borders[k].at(now[k]);
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
  if (axis < 0 || axis >= space->num_axes())
    refuse(fmt::format("field '{}': a boundary condition on axis {} (expected 0 to {})", name, axis,
                       space->num_axes() - 1));
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

} // namespace seam::detail
