#include <seam/stencil/detail/step_check.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/detail/step_dataflow.hpp>
#include <seam/stencil/detail/step_depths.hpp>
#include <seam/stencil/detail/step_turns.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace seam::detail {
namespace {

std::vector<index3> sorted(std::vector<index3> list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

/// Checks one program.
class program_check {
public:
  program_check(step_program const& program, grid_space const& space)
      : program_(program), space_(space) {}

  void all() const {
    if (program_.statements.empty())
      refuse("steps: no kernel (expected at least one call of each())");
    for (step_kernel const& kernel : program_.kernels)
      check_kernel(kernel);
    for (step_statement const& statement : program_.statements)
      if (statement.kernel < 0)
        check_swap(field(statement.swapped[0]), field(statement.swapped[1]));
    check_values();
    check_first_values();
  }

private:
  field_state const& field(int number) const { return *program_.fields[number]; }

  void check_kernel(step_kernel const& kernel) const {
    if (kernel.is_on_values)
      return;
    if (!kernel.space)
      refuse(fmt::format("steps: kernel '{}' has no field (expected reads() or writes() of one)",
                         kernel.name));
    if (kernel.every < 1 || kernel.num_colors < 1)
      refuse(fmt::format("steps: kernel '{}' every {} steps, in {} colors (expected at least 1)",
                         kernel.name, kernel.every, kernel.num_colors));
    check_domain(kernel);
    for (step_access const& access : kernel.accesses)
      check_access(kernel, access);
    for (int a = 0; a < std::ssize(kernel.accesses); ++a)
      for (int b = a + 1; b < std::ssize(kernel.accesses); ++b)
        check_pair(kernel, kernel.accesses[a], kernel.accesses[b]);
    check_moved(kernel);
    check_adders(kernel);
    check_reductions(kernel);
    if (kernel.mask.access >= 0)
      check_mask(kernel, field(kernel.accesses[kernel.mask.access].field));
    if (kernel.num_colors > 1)
      check_colors(kernel);
    if (kernel.order.is_on)
      check_order(kernel);
  }

  /// Refuses a kernel on a grid that neither coarsened() nor its inverse makes of the steps' grid.
  void check_domain(step_kernel const& kernel) const {
    index3 const own = kernel.space->cells(), expected = space_.cells();
    int const first = space_.first_axis();
    std::int64_t const ratio = std::max(own[first] / expected[first], expected[first] / own[first]);
    bool is_alike = std::has_single_bit(static_cast<std::uint64_t>(ratio));
    for (int a = first; a < 3; ++a) {
      auto const [few, many] = std::minmax(own[a], expected[a]);
      is_alike = is_alike && few * ratio == many &&
                 (few == own[a]) == (own[first] <= expected[first]) &&
                 kernel.space->is_periodic(a) == space_.is_periodic(a);
    }
    if (!is_alike)
      refuse(fmt::format("steps: kernel '{}' is on a grid of {} cells (expected the steps' own of "
                         "{}, or one that is coarser or finer by a power of 2, as periodic)",
                         kernel.name, fmt::join(space_.entries_of(own), "x"),
                         fmt::join(space_.entries_of(expected), "x")));
  }

  /// Refuses a value to which a kernel contributes in two ways.
  void check_reductions(step_kernel const& kernel) const {
    for (int a = 0; a < std::ssize(kernel.reduces); ++a)
      for (int b = a + 1; b < std::ssize(kernel.reduces); ++b)
        if (kernel.reduces[a] == kernel.reduces[b])
          refuse(fmt::format("steps: kernel '{}' contributes to '{}' as {} and as {} (expected one "
                             "role for a value)",
                             kernel.name, program_.values[kernel.reduces[a]]->name,
                             kernel.reductions[a]->how(), kernel.reductions[b]->how()));
  }

  void check_access(step_kernel const& kernel, step_access const& access) const {
    field_state const& used = field(access.field);
    if (access.first < 0 || access.count < 1 ||
        access.first + access.count > used.options.components)
      refuse(fmt::format("steps: kernel '{}': components {} to {} of '{}' (expected 0 to {})",
                         kernel.name, access.first, access.first + access.count - 1, used.name,
                         used.options.components - 1));
    if (access.level > 0 || access.level <= -used.options.levels ||
        (access.level != 0 && access.is_written()))
      refuse(fmt::format("steps: kernel '{}' {} level {} of '{}' (expected {})", kernel.name,
                         name_of(access.role), access.level, used.name,
                         access.is_written() ? "level 0"
                                             : fmt::format("0 to {}", 1 - used.options.levels)));
    if (access.offsets.size() != 1 && std::ssize(access.offsets) != access.count)
      refuse(
          fmt::format("steps: kernel '{}' gives '{}' {} lists of offsets (expected 1, or {}: one "
                      "for each component)",
                      kernel.name, used.name, access.offsets.size(), access.count));
    check_grid(kernel, access, used);
    if (access.is_modified() && access.reads_neighbors() && kernel.num_colors == 1 &&
        !kernel.order.is_on)
      refuse(fmt::format("steps: kernel '{}' modifies '{}' in place and reads its neighbors "
                         "(expected updates(), or in_colors() or in_order())",
                         kernel.name, used.name));
    if (!access.is_read() && access.reads_neighbors())
      refuse(fmt::format("steps: kernel '{}' writes '{}' at offsets (expected updates() or adds())",
                         kernel.name, used.name));
  }

  void check_grid(step_kernel const& kernel, step_access const& access,
                  field_state const& used) const {
    if (used.space->size() != space_.size() || used.space->rank() != space_.rank() ||
        used.space->processes() != space_.processes())
      refuse(fmt::format("steps: kernel '{}': field '{}' belongs to a grid of other processes "
                         "(expected grids of the same blocks)",
                         kernel.name, used.name));
    if (access.multiplier == access.divisor) {
      if (used.space != kernel.space)
        refuse(
            fmt::format("steps: kernel '{}': field '{}' belongs to another grid (expected one of "
                        "the kernel's grid, or reads_finer() or reads_coarser())",
                        kernel.name, used.name));
      if (access.is_written() && used.options.on != kernel.on)
        refuse(fmt::format("steps: kernel '{}': field '{}' lies elsewhere on cells than the other "
                           "fields that it writes (expected one centering)",
                           kernel.name, used.name));
      return;
    }
    for (int a = space_.first_axis(); a < 3; ++a)
      if (used.space->cells()[a] * access.divisor != kernel.space->cells()[a] * access.multiplier)
        refuse(fmt::format("steps: kernel '{}': field '{}' has {} cells on axis {} where the "
                           "kernel's grid has {} (expected {})",
                           kernel.name, used.name, used.space->cells()[a], space_.number_of(a),
                           kernel.space->cells()[a],
                           access.multiplier > 1 ? "twice as many" : "half as many"));
    if (used.options.on != on_cells || kernel.on != on_cells)
      refuse(fmt::format("steps: kernel '{}': '{}' is read between two grids (expected fields on "
                         "cells)",
                         kernel.name, used.name));
  }

  void check_pair(step_kernel const& kernel, step_access const& a, step_access const& b) const {
    bool const share = a.first < b.first + b.count && b.first < a.first + a.count;
    if (a.field != b.field || a.level != b.level || !share || (!a.is_written() && !b.is_written()))
      return;
    refuse(
        fmt::format("steps: kernel '{}' {} and {} '{}' (expected one role for a field: updates() "
                    "to read and write)",
                    kernel.name, name_of(a.role), name_of(b.role), field(a.field).name));
  }

  /// Refuses reads of neighbors in what is modified, if other components are updated: tiles copy to new
  /// memory what stays, each its own places.
  void check_moved(step_kernel const& kernel) const {
    for (step_access const& updated : kernel.accesses)
      for (step_access const& modified : kernel.accesses)
        if (updated.is_moved() && modified.is_modified() && updated.field == modified.field &&
            modified.reads_neighbors())
          refuse(
              fmt::format("steps: kernel '{}' updates components of '{}', and modifies others and "
                          "reads their neighbors (expected two kernels)",
                          kernel.name, field(updated.field).name));
  }

  void check_adders(step_kernel const& kernel) const {
    bool const adds =
        std::ranges::any_of(kernel.accesses, [](auto const& access) { return access.is_added(); });
    if (!adds)
      return;
    for (step_access const& access : kernel.accesses)
      if (access.is_written() && !access.is_added())
        refuse(fmt::format("steps: kernel '{}' adds, and {} '{}' (expected a kernel of its own)",
                           kernel.name, name_of(access.role), field(access.field).name));
    if (!kernel.reduces.empty())
      refuse(fmt::format("steps: kernel '{}' adds, and reduces '{}' (expected a kernel of its own)",
                         kernel.name, program_.values[kernel.reduces.front()]->name));
  }

  void check_mask(step_kernel const& kernel, field_state const& mask) const {
    if (mask.options.components != 1)
      refuse(fmt::format("steps: kernel '{}' runs where '{}' is not zero, which has {} components "
                         "(expected a mask of one component)",
                         kernel.name, mask.name, mask.options.components));
    if (mask.options.on != kernel.on)
      refuse(fmt::format("steps: kernel '{}' runs where '{}' is not zero, which lies elsewhere on "
                         "cells (expected a mask that lies where the kernel is called)",
                         kernel.name, mask.name));
  }

  void check_colors(step_kernel const& kernel) const {
    for (int a = 0; a < 3; ++a)
      if (kernel.space->is_periodic(a) && kernel.space->cells()[a] % kernel.num_colors != 0)
        refuse(fmt::format("steps: kernel '{}' in {} colors on a periodic axis of {} cells "
                           "(expected a multiple)",
                           kernel.name, kernel.num_colors, kernel.space->cells()[a]));
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
    auto const check = [&](filled_border const& border, int c) {
      for (step_access const& changed : kernel.accesses)
        if (changed.is_written() && border.conditions[c].source.is_used() &&
            border.conditions[c].source.field.lock() == program_.fields[changed.field])
          refuse(fmt::format("steps: kernel '{}' in order along axis {} {} '{}', and reads '{}', "
                             "whose boundary conditions read it (expected conditions of fields "
                             "that the kernel leaves)",
                             kernel.name, kernel.order.axis, name_of(changed.role),
                             field(changed.field).name, field(read.field).name));
    };
    program_.for_each_condition(read.field, read.borders, check);
  }

  void check_order(step_kernel const& kernel) const {
    int const axis = kernel.order.axis;
    if (axis < 0 || axis >= space_.num_axes())
      refuse(fmt::format("steps: kernel '{}' in order along axis {} (expected 0 to {})",
                         kernel.name, axis, space_.num_axes() - 1));
    if (kernel.space->is_periodic(kernel.axis_of_order()))
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
        if (a != kernel.axis_of_order() && offset[a] != 0)
          refuse(fmt::format("steps: kernel '{}' modifies '{}' in order along axis {} and reads it "
                             "at ({}) (expected offsets along the axis)",
                             kernel.name, field(access.field).name, kernel.order.axis,
                             fmt::join(space_.entries_of(offset), ", ")));
  }

  void check_swap(field_state const& a, field_state const& b) const {
    if (&a == &b || a.space != b.space || a.element_bytes != b.element_bytes ||
        a.options.on != b.options.on || a.options.components != b.options.components)
      refuse(fmt::format("steps: a swap of '{}' and '{}' (expected two fields alike)", a.name,
                         b.name));
  }

  /// A value that kernels compute is not taken before that, unless it has a first value.
  void check_values() const {
    std::vector<bool> is_set;
    for (auto const& value : program_.values)
      is_set.push_back(value->is_set);
    for (step_kernel const& kernel : program_.kernels) {
      for (int const v : kernel.reads_values)
        if (!is_set[v])
          refuse(fmt::format("steps: kernel '{}' takes value '{}', which has none yet (expected a "
                             "first value, or a kernel before it that makes one)",
                             kernel.name, program_.values[v]->name));
      for (int const v : kernel.reduces)
        is_set[v] = true;
      for (int const v : kernel.sets)
        is_set[v] = true;
    }
  }

  /// A field of which kernels write only a part is not read as a whole if no caller has set it.
  void check_first_values() const {
    std::vector<int> written(program_.fields.size()); // 1: a part, 2: all
    for (step_kernel const& kernel : program_.kernels) {
      for (step_access const& access : kernel.accesses)
        if (int const f = access.field;
            !access.is_written() && !kernel.where && written[f] == 1 && !field(access.field).is_set)
          refuse(fmt::format("steps: kernel '{}' reads all of '{}', of which only a part has been "
                             "written (expected fill(), or a kernel before that writes the rest)",
                             kernel.name, field(access.field).name));
      for (step_access const& access : kernel.accesses)
        if (!access.is_read()) {
          int& how = written[access.field];
          how = std::max(how, kernel.is_partial(access, field(access.field)) ? 1 : 2);
        }
    }
  }

  step_program const& program_;
  grid_space const& space_;
};

} // namespace

void complete(std::vector<std::shared_ptr<field_state>> const& fields, step_kernel& kernel) {
  auto const field = [&](step_access const& access) -> field_state const& {
    return *fields[access.field];
  };
  auto const main = [&] {
    auto found = std::ranges::find_if(kernel.accesses,
                                      [](auto const& access) { return access.is_written(); });
    if (found == kernel.accesses.end())
      found = std::ranges::find_if(kernel.accesses, [](auto const& access) {
        return access.multiplier == access.divisor;
      });
    return found;
  }();
  std::vector<index3> added;
  if (main != kernel.accesses.end()) {
    kernel.space = field(*main).space;
    kernel.on = field(*main).options.on;
  }
  for (step_access& access : kernel.accesses) {
    if (access.is_added())
      added.insert(added.end(), access.offsets.front().begin(), access.offsets.front().end());
    else if (access.multiplier == access.divisor && field(access).options.on == kernel.on)
      for (auto& list : access.offsets)
        list.emplace_back();
    for (auto& list : access.offsets)
      list = sorted(list);
  }
  kernel.declared = kernel.accesses;
  if (!added.empty())
    kernel.added = sorted(added);
}

void check_program(step_program const& program, grid_space const& space) {
  program_check(program, space).all();
}

void check_layers(std::string const& kernel, int axis, int layers, int num_axes) {
  if (axis < 0 || axis >= num_axes || layers < 0)
    throw usage_error(fmt::format("steps: kernel '{}' in {} layers along axis {} (expected 0 or "
                                  "more along axis 0 to {})",
                                  kernel, layers, axis, num_axes - 1),
                      true);
}

void check_fusion(step_program const& program, int fused_steps) {
  if (fused_steps <= 1)
    return;
  constexpr int most = 1024;
  if (fused_steps > most)
    refuse(fmt::format("steps: {} steps are fused (expected at most {})", fused_steps, most));
  if (period_of(program) > longest_period)
    refuse(
        fmt::format("steps: {} steps are fused, and the same kernels run again after more than {} "
                    "(expected numbers of every() with a smaller multiple, or no fusion)",
                    fused_steps, longest_period));
  for (step_kernel const& kernel : program.kernels)
    if (takes_turns(kernel))
      refuse(fmt::format("steps: {} steps are fused, and kernel '{}' runs in order along axis {}, "
                         "which {} processes divide (expected no fusion, or one process)",
                         fused_steps, kernel.name, kernel.order.axis, kernel.processes_in_order()));
}

void check_borders_of(step_dataflow const& flow, int rank) {
  auto const regions = flow.regions(rank);
  for (step_fill const& fill : flow.fills()) {
    field_state const& field = flow.field_of(fill);
    for (int c = 0; c < field.options.components; ++c) {
      auto const needs =
          flow.needed(rank, regions, flow.supplies()[fill.supply].array, fill.readers, c);
      for (auto const& beyond : needs.beyond_borders()) {
        bool is_known = false;
        for (int k = 0; k < std::ssize(field.borders); ++k) {
          auto const& filled = flow.border_of(fill, k, c);
          is_known = is_known || (filled.where.axis == beyond.axis &&
                                  filled.where.side == beyond.side && filled.has_condition(c));
        }
        if (!is_known)
          refuse(fmt::format(
              "field '{}': no boundary condition on the {} side of axis {} (expected one: the grid "
              "is not periodic there and kernel '{}' reads across)",
              field.name, beyond.side == side::low ? "low" : "high",
              field.space->number_of(beyond.axis), flow.kernel_of(fill.first_reader()).name));
      }
    }
  }
}

} // namespace seam::detail
