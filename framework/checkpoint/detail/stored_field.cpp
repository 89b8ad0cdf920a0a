// Fields on grids as stored arrays.
#include <seam/framework/checkpoint/detail/stored_array.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace seam::detail {
namespace {

std::string words_of(centering where, int num_axes) {
  unsigned const all = (1U << num_axes) - 1, low = where.low_axes & all;
  if (low == 0)
    return "cells";
  if (low == all && num_axes > 1)
    return "corners";
  std::string axes;
  for (int a = 0; a < num_axes; ++a)
    if (where.is_low(a))
      axes += fmt::format("{}{}", axes.empty() ? "" : ", ", a);
  return "faces across axis " + axes;
}

std::string words_of(field_state const& field, element_format const& element) {
  std::string periodic;
  grid_space const& grid = *field.space;
  for (int a = 0; a < grid.num_axes(); ++a)
    periodic += grid.is_periodic(grid.axis_of(a)) ? fmt::format(" {}", a) : "";
  return fmt::format("{} on the {} of a grid of {} cells, {}, {} components, {} levels",
                     element.name, words_of(field.options.on, grid.num_axes()),
                     fmt::join(grid.entries_of(grid.cells()), "x"),
                     periodic.empty() ? "not periodic" : "periodic on axes" + periodic,
                     field.options.components, field.options.levels);
}

/// One component at one level: a part of the array, and its values on this rank.
struct stored_component {
  component_memory memory;
  box3 domain, owned; ///< in global indices
  std::int64_t element_bytes, begin;
  int slowest; ///< axis

  std::int64_t number_of(index3 const& at) const {
    std::int64_t number = 0;
    for (int a = 0; a < 3; ++a)
      number = number * domain.extent(a) + at[a];
    return number;
  }
  std::byte* address_of(index3 const& at) const {
    std::int64_t number = 0;
    for (int a = 0; a < 3; ++a)
      number = number * memory.local.extent(a) + at[a] - owned.lo[a];
    return memory.origin + number * element_bytes;
  }
  std::int64_t end() const { return begin + domain.num_cells() * element_bytes; }

  /// The owned cells of the slices of the slowest axis that reach into the window.
  box3 owned_in(byte_window window) const {
    std::int64_t const slice = domain.num_cells() / domain.extent(slowest) * element_bytes;
    std::int64_t const first = (std::max(window.begin, begin) - begin) / slice;
    std::int64_t const end_of_slices = (window.end - begin + slice - 1) / slice;
    return slices_of(owned, slowest, first, end_of_slices).within;
  }

  void visit(byte_window window, run_visitor const& visitor) const {
    if (window.end <= begin || window.begin >= end() || owned.is_empty())
      return;
    for_each_row(owned_in(window), [&](index3 const& first, std::int64_t row_end) {
      std::int64_t const row = begin + number_of(first) * element_bytes;
      std::int64_t const length = (row_end - first[2]) * element_bytes;
      std::int64_t const from = std::max(row, window.begin);
      std::int64_t const to = std::min(row + length, window.end);
      if (from < to)
        visitor({from, address_of(first) + (from - row), to - from});
    });
  }
};

void visit_components(field_state const& field, byte_window window, run_visitor const& visitor) {
  box3 const domain = field.space->domain(field.options.on);
  box3 const owned = field.space->owned(field.options.on);
  std::int64_t const bytes = domain.num_cells() * field.element_bytes;
  std::int64_t begin = 0;
  for (int level = 0; level < field.options.levels; ++level)
    for (int c = 0; c < field.options.components; ++c, begin += bytes)
      stored_component{field.component(field.buffers[level], c),
                       domain,
                       owned,
                       field.element_bytes,
                       begin,
                       field.space->first_axis()}
          .visit(window, visitor);
}

} // namespace

stored_array stored_field(std::shared_ptr<field_state> const& field, element_format element) {
  stored_array made;
  made.name = field->name;
  made.identity = words_of(*field, element);
  made.element = std::move(element);
  for (int const outer : {field->options.levels, field->options.components})
    if (outer > 1)
      made.extents.push_back(outer);
  auto const extents = field->space->domain(field->options.on).extents();
  for (std::int64_t const extent : field->space->entries_of(extents))
    made.extents.push_back(extent);
  made.visit_runs = [field](byte_window window, bool, run_visitor const& visitor) {
    visit_components(*field, window, visitor);
  };
  made.loaded = [field] {
    field->note_set();
    field->note_change();
  };
  return made;
}

} // namespace seam::detail
