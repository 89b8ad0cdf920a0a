// Ghosts beyond borders, outside of steps.
#include <seam/stencil/fields/field_state.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/stamps/ghost_stamps.hpp>
#include <seam/stencil/space/domain_images.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

/// Refuses conditions that see beyond the values that are there outside of steps: those of the block at
/// the border, and the ghosts that a halo brings, unless tiles do not wait for all.
void check_seen(field_state const& field, bool by_tiles) {
  grid_space const& space = *field.space;
  centering const on = field.options.on;
  auto const all = field.seen(nullptr);
  for (filled_border const& filled : field.borders) {
    int const a = filled.where.axis, parts = space.processes()[a];
    bool const is_low = filled.where.side == side::low;
    std::int64_t const cells = space.cells()[a], num_seen = all[a][is_low ? 0 : 1];
    std::int64_t there = is_low ? first_cell_of(cells, parts, 1)
                                : space.domain(on).hi[a] - first_cell_of(cells, parts, parts - 1);
    if (parts == 1)
      there = space.domain(on).extent(a);
    else if (!by_tiles)
      there += is_low ? space.ghosts().above[a] : space.ghosts().below[a];
    if (num_seen > there)
      throw usage_error(
          fmt::format("field '{}': a boundary condition on the {} side of axis {} sees {} values, "
                      "where {} are there (expected thicker blocks, a wider neighborhood, or "
                      "steps)",
                      field.name, is_low ? "low" : "high", space.number_of(a), num_seen, there),
          true);
  }
}

/// What the condition of a component reads beside it.
border_inputs inputs_of(field_state const& field, filled_border const& filled, int component) {
  auto const& source = filled.conditions[component].source;
  if (!source.is_used())
    return {};
  auto const other = field.source_of(filled, component);
  return {0.0, other->component(other->buffers.front(), source.component)};
}

/// True if what the condition of a component reads of another field for the ghost at `at` is owned, or
/// a ghost that is current.
bool may_read_beside(field_state const& field, filled_border const& filled, int component,
                     index3 const& at) {
  auto const& source = filled.conditions[component].source;
  if (!source.is_used())
    return true;
  auto const other = field.source_of(filled, component);
  auto const* const stamps = other->stamps(other->buffers.front());
  centering const on = field.options.on;
  domain_images const images(*field.space, on, field.space->owned(on).lo);
  return stamps == nullptr || stamps->may_be_read(source.component * other->local().num_cells() +
                                                  number_in(images.inside(at), other->local()));
}

/// True if the values that the condition of a component sees for the ghost at `at` are owned, or ghosts
/// that are current.
bool may_see(field_state const& field, ghost_stamps const& stamps, filled_border const& by,
             int component, index3 at) {
  centering const on = field.options.on;
  box3 const domain = shift(field.space->domain(on), negated(field.space->owned(on).lo));
  int const a = by.where.axis;
  for (std::int64_t k = 0; k < by.conditions[component].num_seen; ++k) {
    at[a] = by.where.side == side::low ? domain.lo[a] + k : domain.hi[a] - 1 - k;
    if (!stamps.may_be_read(component * field.local().num_cells() + number_in(at, field.local())))
      return false;
  }
  return true;
}

} // namespace

bool filled_border::is_complete() const {
  return !fills.empty() &&
         std::ranges::all_of(fills, [](border_fill const& fill) { return bool(fill); });
}

void filled_border::put(int component, int num_components, component_condition const& condition) {
  conditions.resize(num_components);
  fills.resize(num_components);
  for (int c = 0; c < num_components; ++c)
    if (component == -1 || component == c) {
      conditions[c] = condition;
      fills[c] = condition.make(where);
    }
}

filled_border filled_border::at(border<3> const& now) const {
  filled_border made{now, conditions, {}};
  for (component_condition const& condition : conditions)
    made.fills.push_back(condition.make ? condition.make(now) : border_fill());
  return made;
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

void field_state::fill_borders(box3 const& part, by_threads threads) const {
  check_borders();
  check_seen(*this, threads == by_threads::caller);
  for (filled_border const& filled : borders)
    for (int c = 0; c < components; ++c)
      if (!filled.where.ghosts.is_empty()) {
        box3 const ghosts = intersection(filled.where.ghosts, part);
        filled.fills[c](component(buffers.front(), c), ghosts, inputs_of(*this, filled, c),
                        threads);
        note_filled(*this, filled, c, ghosts);
      }
}

void note_filled(field_state const& field, filled_border const& by, int component,
                 box3 const& part) {
  auto const stamps = stamps_of(field.buffers.front());
  if (!stamps || part.is_empty())
    return;
  stamps->settle();
  box3 const all = field.local();
  std::int64_t const first = component * all.num_cells();
  centering const on = field.options.on;
  index3 const to_global = field.space->owned(on).lo;
  border_ghosts const where{by.where.axis, by.where.side, shift(part, to_global)};
  box3 const inside = mirror_image(*field.space, on, where);
  int const a = by.where.axis;
  for_each_cell(part, [&](index3 const& ghost) {
    index3 mirrored = ghost;
    mirrored[a] = inside.hi[a] - 1 - to_global[a] - (ghost[a] - part.lo[a]);
    if (may_see(field, *stamps, by, component, ghost) &&
        may_read_beside(field, by, component, ghost))
      stamps->note_filled(first + number_in(ghost, all), first + number_in(mirrored, all),
                          by.conditions[component].is_fixed);
  });
}

} // namespace seam::detail
