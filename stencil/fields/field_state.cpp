#include <seam/stencil/fields/field_state.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
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
