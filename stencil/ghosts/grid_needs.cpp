#include <seam/stencil/ghosts/grid_needs.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/space/domain_images.hpp>
#include <seam/stencil/space/grid_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

/// True if conditions for an access, on an axis and a side, read a field, or its component.
/// @param component  -1: any
bool reads_beside(step_program const& program, step_access const& access, border_ghosts const& at,
                  int other, int component) {
  auto const& field = field_of(program, access.field);
  auto const* const own = program.conditions(access.borders);
  for (int k = 0; k < std::ssize(field.borders); ++k)
    for (int c = 0; c < field.components; ++c) {
      auto const& border = field.border_of(own, k, c);
      if (!border.has_condition(c) || border.where.axis != at.axis || border.where.side != at.side)
        continue;
      auto const& source = border.conditions[c].source;
      if (source.is_used() && source.field.lock() == program.fields[other] &&
          (component < 0 || component == source.component))
        return true;
    }
  return false;
}

/// The parts of what an argument reads that a read is about.
std::vector<box3> parts_read(step_kernel const& kernel, values_read part, box3 const& read) {
  if (part == values_read::all)
    return {read};
  int const axis = axis_of_order(kernel);
  box3 const domain = grid_of(kernel).domain(centering_of(kernel));
  auto const [below, within, above] = slices_of(read, axis, domain.lo[axis], domain.hi[axis]);
  if (part == values_read::inside)
    return {within};
  return {below, above};
}

/// Collects what readers read.
class reading {
public:
  reading(step_dataflow const& flow, computed_regions const& regions)
      : flow_(flow), regions_(regions) {}

  /// Adds what one reader reads.
  /// @param component  -1: all
  /// @param exactly    offset by offset, not the smallest box for all
  void add(needed_values& needs, supply_reader const& reader, int component, bool exactly) const {
    if (reader.part == values_read::for_borders)
      return add_for_borders(needs, reader, component);
    auto const& called = flow_.kernel_of(reader.instance);
    auto const& access = called.accesses[reader.access];
    bool const is_other =
        component >= 0 && (component < access.first || component >= access.first + access.count);
    step_region const& region = regions_[reader.instance];
    field_state const& field = field_of(flow_.program(), reader.field);
    seen_values const seen = field.seen(flow_.program().conditions(access.borders));
    if (access.is_written() && reader.part != values_read::beyond)
      needs.add(field.values_at(region).box()); // that the kernel changes, leaves or copies
    if (reader.part == values_read::at_place || is_other || access.is_added())
      return;
    auto const add_parts = [&](box3 const& read) {
      for (box3 const& part : parts_read(called, reader.part, read))
        needs.add(part, seen);
    };
    for (step_region const& cells : called.space->computed(called, region)) {
      if (!has_values_at(called, access, cells.box()))
        continue;
      if (!exactly) {
        add_parts(called.space->read_by(called, access, cells).box());
        continue;
      }
      for (box3 const& from : sources_of(called, access, cells.box()))
        for (auto const& offset : access.offsets_of(std::max(component, access.first)))
          add_parts(access.read_at(from, offset));
    }
  }

private:
  /// Adds what conditions on the borders of the field that a reader reads need of another one.
  void add_for_borders(needed_values& needs, supply_reader const& reader, int component) const {
    auto const& access = flow_.kernel_of(reader.instance).accesses[reader.access];
    field_state const& filled = field_of(flow_.program(), access.field);
    centering const on = filled.options.on;
    needed_values read(*filled.space, on, filled.space->owned(on));
    add(read, {reader.instance, reader.access, values_read::all, access.field}, -1, false);
    domain_images const images(*filled.space, on);
    for (border_ghosts const& beyond : read.beyond_borders())
      if (reads_beside(flow_.program(), access, beyond, reader.field, component))
        needs.add(images.inside(beyond.ghosts));
  }

  step_dataflow const& flow_;
  computed_regions const& regions_;
};

} // namespace

needed_values needs_of(field_state const& field, step_dataflow const& flow, int rank,
                       computed_regions const& regions, std::vector<supply_reader> const& readers,
                       int component) {
  centering const on = field.options.on;
  needed_values needs(*field.space, on, field.space->owned_by(rank, on));
  for (supply_reader const& reader : readers)
    reading(flow, regions).add(needs, reader, component, component >= 0);
  return needs;
}

step_needs field_state::needed(step_dataflow const& flow, int rank, computed_regions const& regions,
                               std::vector<supply_reader> const& readers, int component) const {
  needed_values const needs = needs_of(*this, flow, rank, regions, readers, component);
  auto const received = needs.received();
  return {{received.begin(), received.end()}, needs.inside(), needs.all()};
}

void field_state::check(step_dataflow const& flow, step_fill const& fill, int rank,
                        computed_regions const& regions) const {
  int const array = flow.supplies()[fill.supply].array;
  auto const* const own = flow.program().conditions(fill.borders);
  for (int c = 0; c < components; ++c) {
    auto const needs = needs_of(field_of(flow, array), flow, rank, regions, fill.readers, c);
    for (border_ghosts const& beyond : needs.beyond_borders()) {
      bool is_known = false;
      for (int k = 0; k < std::ssize(borders); ++k) {
        auto const& filled = border_of(own, k, c);
        is_known = is_known || (filled.where.axis == beyond.axis &&
                                filled.where.side == beyond.side && filled.has_condition(c));
      }
      if (!is_known)
        refuse(fmt::format(
            "field '{}': no boundary condition on the {} side of axis {} (expected one: the grid "
            "is not periodic there and kernel '{}' reads across)",
            name, beyond.side == side::low ? "low" : "high", space->number_of(beyond.axis),
            flow.kernel_of(fill.first_reader()).name));
    }
  }
}

} // namespace seam::detail
