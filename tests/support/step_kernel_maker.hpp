/// Draws the kernels of a program of steps.
#pragma once

#include <support/step_field_maker.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace seam::testing {

class step_kernel_maker : protected step_field_maker {
protected:
  using step_field_maker::step_field_maker;

  /// A read of a level that the kernel does not write.
  problem_read draw_read(problem_kernel const& kernel) {
    problem_read read;
    for (;;) {
      read.field = draw_field_number();
      read.level = -pick(0, made_.fields[read.field].levels - 1);
      bool const is_written =
          kernel.kind != kernel_kind::reduces && read.field == kernel.field && read.level == 0;
      if (!is_written)
        break;
      if (made_.fields.size() == 1 && made_.fields[read.field].levels == 1)
        return {-1, 0, {}, 0};
    }
    int const components = made_.fields[read.field].components;
    int const lists = components > 1 && chance(50) ? components : 1;
    for (int n = 0; n < lists; ++n)
      read.lists.push_back(draw_offsets());
    set_coefficient(read);
    return read;
  }

  void set_coefficient(problem_read& read) {
    std::int64_t terms = 1;
    for (auto const& list : read.lists)
      terms += std::ssize(list);
    read.coefficient = 0.01 * pick(-100, 100) / static_cast<double>(terms);
  }

  problem_kernel draw_kernel() {
    problem_kernel kernel;
    kernel.kind = static_cast<kernel_kind>(one_of({0, 0, 1, 1, 1, 2, 2, 3, 4}));
    kernel.field = draw_field_number();
    problem_field const& field = made_.fields[kernel.field];
    kernel.first = chance(70) ? 0 : pick(0, field.components - 1);
    kernel.count =
        chance(60) ? field.components - kernel.first : pick(1, field.components - kernel.first);
    kernel.value = pick(0, step_problem::num_values - 1);
    kernel.of_value = chance(50) ? 0.0 : 0.01 * pick(-50, 50);
    kernel.reduction = pick(0, 2);
    kernel.every = one_of({1, 1, 1, 1, 2, 3});
    kernel.reads = {draw_read(kernel), draw_read(kernel)};
    kernel.own.field = kernel.field;
    kernel.own.lists = {{axis_entries{}}};
    if (kernel.kind == kernel_kind::updates)
      kernel.own.lists = {draw_offsets()};
    if (kernel.kind == kernel_kind::modifies && chance(30))
      choose_colors(kernel);
    else if (kernel.kind == kernel_kind::modifies && chance(80))
      choose_order(kernel);
    set_coefficient(kernel.own);
    if (kernel.order_axis >= 0)
      kernel.own.coefficient *= 0.5; // new values are computed from new ones, all along the axis
    if (kernel.kind == kernel_kind::adds) {
      kernel.added = draw_offsets();
      kernel.added.resize(std::min<std::ptrdiff_t>(std::ssize(kernel.added), 5));
    }
    if (kernel.kind != kernel_kind::reduces && kernel.kind != kernel_kind::adds && chance(25))
      choose_box(kernel, field);
    if (kernel.kind == kernel_kind::updates && chance(25))
      choose_inner_box(kernel, field);
    return kernel;
  }

  /// Two colors, and neighbors along axes.
  void choose_colors(problem_kernel& kernel) {
    for (problem_axis const& axis : made_.axes)
      if (axis.is_periodic && axis.cells % 2 != 0)
        return;
    kernel.colors = 2;
    std::vector<axis_entries> list{{}};
    for (int a = 0; a < num_axes(); ++a)
      for (int const step : {-1, 1}) {
        list.emplace_back();
        list.back()[a] = step;
      }
    std::ranges::sort(list);
    kernel.own.lists = {list};
  }

  /// An order along an axis that is not periodic, and a few offsets along it.
  void choose_order(problem_kernel& kernel) {
    int const axis = pick(0, num_axes() - 1);
    if (made_.axes[axis].is_periodic)
      return;
    kernel.order_axis = axis;
    kernel.is_backward = chance(50);
    std::vector<axis_entries> list{{}};
    for (int step = -reach_; step <= reach_; ++step)
      if (step != 0 && chance(60)) {
        list.emplace_back();
        list.back()[axis] = step;
      }
    std::ranges::sort(list);
    kernel.own.lists = {list};
  }

  axis_entries draw_offset() {
    axis_entries offset{};
    for (int a = 0; a < num_axes(); ++a)
      offset[a] = pick(-reach_, reach_);
    return offset;
  }

  static void append_box(std::vector<axis_entries>& list, axis_entries const& lo,
                         axis_entries const& hi) {
    axis_entries at{};
    for (at[0] = lo[0]; at[0] <= hi[0]; ++at[0])
      for (at[1] = lo[1]; at[1] <= hi[1]; ++at[1])
        for (at[2] = lo[2]; at[2] <= hi[2]; ++at[2])
          list.push_back(at);
  }

  static void append_line(std::vector<axis_entries>& list, int axis, int from, int to) {
    axis_entries lo{}, hi{};
    lo[axis] = from;
    hi[axis] = to;
    append_box(list, lo, hi);
  }

  /// A box of radius 1, flat along `flat_axis` if there is such an axis.
  void append_box_around(std::vector<axis_entries>& list, int flat_axis) const {
    axis_entries lo{}, hi{};
    for (int b = 0; b < num_axes(); ++b)
      if (b != flat_axis) {
        lo[b] = -1;
        hi[b] = 1;
      }
    append_box(list, lo, hi);
  }

  /// Random offsets, or a structure: a star, a box, a plane, a line, one direction.
  std::vector<axis_entries> draw_offsets() {
    std::vector<axis_entries> list;
    int const structure = pick(0, 6), axis = pick(0, num_axes() - 1);
    int const behind = pick(0, reach_), ahead = pick(0, reach_);
    if (structure == 0)
      for (int b = 0; b < num_axes(); ++b)
        append_line(list, b, -reach_, reach_);
    else if (structure <= 2)
      append_box_around(list, structure == 1 ? -1 : axis);
    else if (structure == 3)
      append_line(list, axis, -behind, ahead);
    else if (structure == 4)
      list.push_back({});
    else
      for (int n = pick(1, 5); n > 0; --n)
        list.push_back(draw_offset());
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  void choose_box(problem_kernel& kernel, problem_field const& field) {
    kernel.is_boxed = true;
    kernel.hi = {1, 1, 1};
    for (int a = 0; a < std::ssize(made_.axes); ++a) {
      auto const extent = static_cast<int>(made_.extent(field, a));
      kernel.lo[a] = pick(0, extent - 1);
      kernel.hi[a] = pick(static_cast<int>(kernel.lo[a]), extent);
    }
  }

  /// A box that may lie anywhere, and may have no places.
  void choose_inner_box(problem_kernel& kernel, problem_field const& field) {
    kernel.is_by_place = true;
    kernel.inner_hi = {1, 1, 1};
    for (int a = 0; a < std::ssize(made_.axes); ++a) {
      auto const extent = static_cast<int>(made_.extent(field, a));
      kernel.inner_lo[a] = pick(-2, extent / 2);
      kernel.inner_hi[a] = pick(static_cast<int>(kernel.inner_lo[a]), extent + 2);
    }
  }

  /// Gives a kernel conditions for a field that it reads.
  void choose_own_borders(problem_kernel& kernel) {
    std::vector<int> read;
    for (problem_read const& each : kernel.reads)
      if (each.field >= 0)
        read.push_back(each.field);
    if (kernel.kind == kernel_kind::updates || kernel.kind == kernel_kind::modifies)
      read.push_back(kernel.field);
    if (read.empty())
      return;
    kernel.bordered = one_of(read);
    draw_conditions(kernel.own_borders);
    if (chance(40))
      choose_sources(kernel.own_borders, made_.fields[kernel.bordered].low_axes);
    for (auto& axis : kernel.has_own)
      for (bool& has : axis)
        has = chance(60);
  }

  static bool changes(problem_kernel const& kernel) {
    return kernel.kind == kernel_kind::writes || kernel.kind == kernel_kind::updates ||
           kernel.kind == kernel_kind::modifies;
  }

  /// True for kernels that may have a second role.
  static bool is_plain(problem_kernel const& kernel) {
    return changes(kernel) && !kernel.is_by_place && kernel.colors == 1 && kernel.order_axis < 0;
  }

  /// Gives components that a kernel leaves a role of their own; one of both roles is to update.
  void choose_second(problem_kernel& kernel) {
    int const behind = kernel.first + kernel.count;
    int const left = made_.fields[kernel.field].components - behind;
    if (left < 1)
      return;
    kernel.second.first = pick(behind, behind + left - 1);
    kernel.second.count = pick(1, behind + left - kernel.second.first);
    kernel.second.kind = kernel.kind == kernel_kind::updates ? static_cast<kernel_kind>(pick(0, 2))
                                                             : kernel_kind::updates;
  }

  /// Lets a kernel reduce what it writes.
  void choose_reduction(problem_kernel& kernel) {
    kernel.reduces = pick(0, step_problem::num_values - 1);
    kernel.reduction = pick(0, 3);
    bool const may_be_of_nothing = kernel.is_boxed || kernel.mask >= 0;
    kernel.is_taken = kernel.reduction == 3 || (kernel.reduction < 2 && may_be_of_nothing);
  }

  /// A mask that lies where the kernel is called. Least and largest values have no masks, since the
  /// serial program has none of nothing.
  void choose_mask(problem_kernel& kernel) {
    int place = kernel.field;
    if (kernel.kind == kernel_kind::reduces) {
      place = std::max(kernel.reads[0].field, kernel.reads[1].field);
      if (kernel.reads[0].field >= 0)
        place = kernel.reads[0].field;
      if (kernel.reduction != 2 || place < 0)
        return;
    }
    problem_mask mask;
    mask.low_axes = made_.fields[place].low_axes;
    mask.pattern = pick(0, problem_mask::num_patterns - 1);
    mask.moves = chance(50);
    for (int a = 0; a < num_axes(); ++a)
      mask.by[a] = pick(-1, 1);
    mask.beyond = pick(0, 1);
    kernel.mask = static_cast<int>(made_.masks.size());
    made_.masks.push_back(mask);
  }

  /// Lets a kernel write a field that it does not read, too. If it reads neighbors of what it updates,
  /// that has values wherever the other one has some.
  void choose_beside(problem_kernel& kernel) {
    std::vector<int> others;
    for (int f = 0; f < std::ssize(made_.fields); ++f) {
      bool const is_read = kernel.reads[0].field == f || kernel.reads[1].field == f;
      bool const lies_around =
          (made_.fields[f].low_axes & ~made_.fields[kernel.field].low_axes) == 0;
      bool const reads_own = kernel.own.lists.front() != std::vector{axis_entries{}};
      if (f != kernel.field && !is_read && (lies_around || !reads_own))
        others.push_back(f);
    }
    if (!others.empty())
      kernel.beside = one_of(others);
  }
};

} // namespace seam::testing
