#include <seam/stencil/space/grid_kernels.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/program/step_program.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace seam::detail {
namespace {

/// Checks one kernel on grids.
class grid_check {
public:
  grid_check(step_program const& program, grid_space const& space)
      : program_(program), space_(space) {}

  void all(step_kernel const& kernel) const {
    check_domain(kernel);
    if (kernel.writes_several_kinds)
      check_several(kernel);
    for (step_access const& access : kernel.accesses)
      check_grid(kernel, access, field(access.field));
    if (kernel.mask.access >= 0)
      check_mask(kernel, field(kernel.accesses[kernel.mask.access].field));
    if (kernel.num_colors > 1)
      check_colors(kernel);
    if (kernel.order.is_on)
      check_order(kernel);
  }

private:
  step_field const& field(int number) const { return *program_.fields[number]; }

  /// Refuses a kernel on a grid that neither coarsened() nor its inverse makes of the steps' grid.
  void check_domain(step_kernel const& kernel) const {
    index3 const own = grid_of(kernel).cells(), expected = space_.cells();
    int const first = space_.first_axis();
    std::int64_t const ratio = std::max(own[first] / expected[first], expected[first] / own[first]);
    bool is_alike = std::has_single_bit(static_cast<std::uint64_t>(ratio));
    for (int a = first; a < 3; ++a) {
      auto const [few, many] = std::minmax(own[a], expected[a]);
      is_alike = is_alike && few * ratio == many &&
                 (few == own[a]) == (own[first] <= expected[first]) &&
                 grid_of(kernel).is_periodic(a) == space_.is_periodic(a);
    }
    if (!is_alike)
      refuse(fmt::format("steps: kernel '{}' is on a grid of {} cells (expected the steps' own of "
                         "{}, or one that is coarser or finer by a power of 2, as periodic)",
                         kernel.name, fmt::join(space_.entries_of(own), "x"),
                         fmt::join(space_.entries_of(expected), "x")));
  }

  /// Refuses what has no meaning for a kernel that writes fields which lie elsewhere on cells.
  void check_several(step_kernel const& kernel) const {
    auto const refuse_with = [&](std::string const& what) {
      refuse(
          fmt::format("steps: kernel '{}' writes fields that lie elsewhere on cells than others, "
                      "and {} (expected one centering)",
                      kernel.name, what));
    };
    if (std::ranges::any_of(kernel.accesses, &step_access::is_added))
      refuse_with("adds");
    if (kernel.mask.access >= 0)
      refuse_with("has a mask");
    if (kernel.num_colors > 1)
      refuse_with("runs in colors");
    if (kernel.order.is_on)
      refuse_with("runs in order");
    for (step_access const& access : kernel.accesses)
      if (access.is_moved() && access.reads_neighbors() && access.kind != kernel.kind)
        refuse_with(fmt::format("updates '{}' from its neighbors", field(access.field).name));
    box3 const all = grid_of(kernel).domain(centering_of(kernel));
    for (step_access const& access : kernel.accesses)
      if (box3 const own = grid_of(kernel).domain({access.kind});
          kernel.where && access.is_written() &&
          intersection(kernel.where(own), own) != intersection(kernel.where(all), own))
        refuse_with("runs in layers along a border");
  }

  void check_grid(step_kernel const& kernel, step_access const& access,
                  step_field const& used) const {
    grid_space const& grid = grid_of(used);
    if (grid.size() != space_.size() || grid.rank() != space_.rank() ||
        grid.processes() != space_.processes())
      refuse(fmt::format("steps: kernel '{}': field '{}' belongs to a grid of other processes "
                         "(expected grids of the same blocks)",
                         kernel.name, used.name));
    if (access.multiplier == access.divisor) {
      if (&grid != kernel.space.get())
        refuse(
            fmt::format("steps: kernel '{}': field '{}' belongs to another grid (expected one of "
                        "the kernel's grid, or reads_finer() or reads_coarser())",
                        kernel.name, used.name));
    } else {
      check_ratio(kernel, access, used);
    }
  }

  /// Checks a field that is read between two grids.
  void check_ratio(step_kernel const& kernel, step_access const& access,
                   step_field const& used) const {
    index3 const& cells = grid_of(used).cells();
    for (int a = space_.first_axis(); a < 3; ++a)
      if (cells[a] * access.divisor != grid_of(kernel).cells()[a] * access.multiplier)
        refuse(fmt::format("steps: kernel '{}': field '{}' has {} cells on axis {} where the "
                           "kernel's grid has {} (expected {})",
                           kernel.name, used.name, cells[a], space_.number_of(a),
                           grid_of(kernel).cells()[a],
                           access.multiplier > 1 ? "twice as many" : "half as many"));
    if (centering_of(used) != on_cells || centering_of(kernel) != on_cells)
      refuse(fmt::format("steps: kernel '{}': '{}' is read between two grids (expected fields on "
                         "cells)",
                         kernel.name, used.name));
  }

  void check_mask(step_kernel const& kernel, step_field const& mask) const {
    if (mask.components != 1)
      refuse(fmt::format("steps: kernel '{}' runs where '{}' is not zero, which has {} components "
                         "(expected a mask of one component)",
                         kernel.name, mask.name, mask.components));
    if (centering_of(mask) != centering_of(kernel))
      refuse(fmt::format("steps: kernel '{}' runs where '{}' is not zero, which lies elsewhere on "
                         "cells (expected a mask that lies where the kernel is called)",
                         kernel.name, mask.name));
  }

  void check_colors(step_kernel const& kernel) const {
    for (int a = 0; a < 3; ++a)
      if (grid_of(kernel).is_periodic(a) && grid_of(kernel).cells()[a] % kernel.num_colors != 0)
        refuse(fmt::format("steps: kernel '{}' in {} colors on a periodic axis of {} cells "
                           "(expected a multiple)",
                           kernel.name, kernel.num_colors, grid_of(kernel).cells()[a]));
    for (step_access const& access : kernel.accesses)
      for (auto const& list : access.offsets)
        for (auto const& offset : list) {
          auto const sum = std::accumulate(offset.begin(), offset.end(), std::int64_t{0});
          if (access.is_modified() && offset != index3{} && sum % kernel.num_colors == 0)
            refuse(fmt::format("steps: kernel '{}' modifies '{}' in {} colors and reads its own "
                               "color at ({}) (expected offsets to other colors)",
                               kernel.name, field(access.field).name, kernel.num_colors,
                               fmt::join(space_.entries_of(offset), ", ")));
        }
  }

  /// Refuses reads of neighbors whose ghosts beyond borders depend on what the kernel changes: blocks
  /// that take turns would find it changed by others.
  void check_beside(step_kernel const& kernel, step_access const& read) const {
    if (read.is_modified() || !read.reads_neighbors())
      return;
    auto const beside = field(read.field).beyond(program_.conditions(read.borders)).fields;
    for (step_access const& changed : kernel.accesses)
      if (changed.is_written() &&
          std::ranges::find(beside, program_.fields[changed.field]) != beside.end())
        refuse(fmt::format("steps: kernel '{}' in order along axis {} {} '{}', and reads '{}', "
                           "whose boundary conditions read it (expected conditions of fields "
                           "that the kernel leaves)",
                           kernel.name, kernel.order.axis, name_of(changed.role),
                           field(changed.field).name, field(read.field).name));
  }

  void check_order(step_kernel const& kernel) const {
    int const axis = kernel.order.axis;
    if (axis < 0 || axis >= space_.num_axes())
      refuse(fmt::format("steps: kernel '{}' in order along axis {} (expected 0 to {})",
                         kernel.name, axis, space_.num_axes() - 1));
    if (grid_of(kernel).is_periodic(axis_of_order(kernel)))
      refuse(
          fmt::format("steps: kernel '{}' in order along axis {}, which is periodic (expected an "
                      "axis with a first and a last cell)",
                      kernel.name, axis));
    if (kernel.num_colors > 1)
      refuse(fmt::format("steps: kernel '{}' in order along axis {} and in {} colors (expected one "
                         "of them)",
                         kernel.name, axis, kernel.num_colors));
    for (step_access const& access : kernel.accesses) {
      if (access.is_moved() || access.is_added())
        refuse(fmt::format("steps: kernel '{}' in order along axis {} {} '{}' (expected modifies() "
                           "or writes())",
                           kernel.name, axis, name_of(access.role), field(access.field).name));
      check_beside(kernel, access);
      if (access.is_modified())
        for (auto const& list : access.offsets)
          check_along(kernel, access, list);
    }
  }

  /// Refuses offsets to other lines of cells than the kernel's own.
  void check_along(step_kernel const& kernel, step_access const& access,
                   std::vector<index3> const& offsets) const {
    for (index3 const& offset : offsets)
      for (int a = 0; a < 3; ++a)
        if (a != axis_of_order(kernel) && offset[a] != 0)
          refuse(fmt::format("steps: kernel '{}' modifies '{}' in order along axis {} and reads it "
                             "at ({}) (expected offsets along the axis)",
                             kernel.name, field(access.field).name, kernel.order.axis,
                             fmt::join(space_.entries_of(offset), ", ")));
  }

  step_program const& program_;
  grid_space const& space_;
};

} // namespace

void grid_space::check(step_program const& program, step_kernel const& kernel) const {
  grid_check(program, *this).all(kernel);
}

} // namespace seam::detail
