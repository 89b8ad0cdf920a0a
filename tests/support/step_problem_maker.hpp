/// Draws programs of steps: a seed and a number determine a problem.
#pragma once

#include <support/step_problem.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace seam::testing {

/// Draws one program.
class step_problem_maker {
public:
  explicit step_problem_maker(problem_number const& which)
      : random_(static_cast<std::uint64_t>(which.seed) * 7'000'003U +
                static_cast<std::uint64_t>(which.number)),
        most_ranks_(which.most_ranks) {
    random_.discard(10);
  }

  step_problem make() {
    made_ = {};
    made_.ranks = std::max(pick(1, most_ranks_), pick(1, most_ranks_));
    made_.axes.resize(one_of({1, 2, 2, 2, 3}));
    if (made_.axes.size() == 2)
      made_.numbers = static_cast<number_type>(one_of({0, 0, 0, 1, 1, 2, 2}));
    made_.fused = chance(9) ? 0 : one_of({1, 1, 1, 2, 3, 4, 5, 6, 7, 8});
    if (made_.fused == 0 && chance(70))
      made_.ranks = most_ranks_;
    made_.tile_extent = one_of({0, 0, 1, 2, 3, 5});
    made_.parts = one_of({0, 1, 2, 2, 3, 5});
    reach_ = one_of({1, 1, 2, 3});
    place_processes();
    choose_cells();
    for (int n = pick(1, 4); n > 0; --n)
      made_.fields.push_back(draw_field());
    made_.time = one_of({-1, 0, 1});
    for (problem_field& field : made_.fields)
      choose_sources(field);
    for (int n = pick(1, 5); n > 0; --n)
      made_.kernels.push_back(draw_kernel());
    if (chance(3)) // steps of values alone
      made_.kernels.clear();
    for (problem_kernel& kernel : made_.kernels)
      if (chance(25))
        choose_own_borders(kernel);
    add_swaps();
    add_settings();
    leave_orders();
    unfuse_turns();
    for (int n = pick(1, 3); n > 0; --n)
      made_.runs.push_back(one_of({0, 1, 1, 2, 3, 5, 9}));
    if (made_.fused == 0)
      made_.runs.push_back(80); // until measurement has decided
    for (problem_kernel& kernel : made_.kernels)
      if (kernel.kind != kernel_kind::swaps && kernel.kind != kernel_kind::sets && chance(30))
        choose_mask(kernel);
    for (problem_kernel& kernel : made_.kernels)
      if (is_plain(kernel) && chance(45))
        choose_second(kernel);
    for (problem_kernel& kernel : made_.kernels)
      if (changes(kernel) && !kernel.is_by_place && chance(25))
        choose_reduction(kernel);
    divide_programs();
    choose_phases();
    for (problem_kernel& kernel : made_.kernels)
      kernel.is_located =
          kernel.kind == kernel_kind::reduces && kernel.reduction != 2 && chance(60);
    choose_end();
    choose_lent();
    made_.is_profiled = chance(20);
    made_.is_checked = chance(35);
    if (chance(50))
      choose_far_borders();
    for (problem_kernel& kernel : made_.kernels)
      if (is_plain(kernel) && kernel.second.count == 0 && kernel.reduces < 0 && kernel.mask < 0 &&
          chance(65))
        choose_beside(kernel);
    if (made_.fused == 0 && chance(70)) // blocks for which fusion is worth a trial
      made_.axes[0].cells +=
          std::int64_t{2} * made_.axes[0].processes * pick(16, num_axes() < 3 ? 32 : 20);
    return made_;
  }

private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  int one_of(std::vector<int> const& all) { return all[pick(0, static_cast<int>(all.size()) - 1)]; }
  int num_axes() const { return static_cast<int>(made_.axes.size()); }

  /// The sums of kernels that add to small integers at several places could leave the type.
  void divide_programs() {
    auto const num_kernels = static_cast<int>(made_.kernels.size());
    made_.first_program = chance(25) ? pick(1, num_kernels) : num_kernels;
    made_.is_changed_by_hand = chance(30);
    made_.turns_borders = chance(30);
    for (problem_kernel& kernel : made_.kernels)
      if (made_.numbers == number_type::small_integers && kernel.kind == kernel_kind::adds)
        kernel.added.resize(1);
  }

  void choose_phases() {
    for (problem_kernel& kernel : made_.kernels)
      if (kernel.every > 1 && chance(60))
        kernel.phase = pick(0, kernel.every - 1);
  }

  /// Lets fields of one level lie on views, if no swap gives their memory away and ghosts stay narrow.
  void choose_lent() {
    for (int f = 0; f < std::ssize(made_.fields) && made_.fused == 1; ++f)
      made_.fields[f].is_lent =
          made_.fields[f].levels == 1 && chance(40) &&
          std::ranges::none_of(made_.kernels, [&](problem_kernel const& kernel) {
            return kernel.kind == kernel_kind::swaps && (kernel.field == f || kernel.swapped == f);
          });
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

  /// Lets conditions see more than the mirror image, no more than an axis has; turned borders are those
  /// of the other end of the same axis.
  void choose_far_borders() {
    for (problem_field& field : made_.fields)
      choose_far(field);
    for (problem_kernel& kernel : made_.kernels)
      if (kernel.bordered >= 0)
        choose_far(kernel.own_borders);
  }
  void choose_far(problem_borders& borders) {
    for (int a = 0; a < num_axes(); ++a)
      for (border_condition& condition : borders.borders[a])
        if (chance(50))
          condition.sees =
              pick(0, static_cast<int>(std::min<std::int64_t>(made_.axes[a].cells, 5)) - 1);
  }

  /// Lets a value that the first program computes end its runs.
  void choose_end() {
    std::vector<int> computed;
    for (int k = 0; k < made_.first_program; ++k)
      if (problem_kernel const& kernel = made_.kernels[k]; kernel.kind == kernel_kind::reduces)
        computed.push_back(kernel.value);
      else if (kernel.kind != kernel_kind::swaps && kernel.reduces >= 0)
        computed.push_back(kernel.reduces);
    if (computed.empty() || !chance(50))
      return;
    made_.until = one_of(computed);
    made_.check_every = one_of({1, 1, 2, 3, 4, 5, 8});
  }

  void place_processes() {
    std::vector<int> divided;
    for (int a = 0; a < num_axes(); ++a)
      divided.push_back(a);
    std::ranges::shuffle(divided, random_);
    divided.resize(std::min(one_of({1, 1, 2, 3}), num_axes()));
    int next = 0;
    for (int left = made_.ranks, factor = 2; left > 1; ++factor)
      for (; left % factor == 0; left /= factor)
        made_.axes[divided[next++ % divided.size()]].processes *= factor;
  }

  /// Blocks of one cell, as thin as the reach, or thicker. An axis has at least as many cells as
  /// kernels reach beyond its borders; a periodic one may have fewer.
  void choose_cells() {
    for (problem_axis& axis : made_.axes) {
      axis.is_periodic = chance(50);
      int const extent = one_of({1, 1, reach_, reach_ + 1, pick(2, 7)});
      axis.cells = axis.processes * extent + (chance(50) ? 0 : pick(0, axis.processes - 1));
      if (axis.is_periodic && chance(30))
        axis.cells = axis.processes * one_of({1, 1, 2});
      else
        axis.cells = std::max<std::int64_t>(axis.cells, 2 * reach_ + 1);
      axis.length = 0.5 * pick(1, 8);
    }
    if (made_.fused > 1 && chance(40)) // threads can have shares of a block along its first axis
      made_.axes[0].cells += made_.axes[0].processes * pick(20, num_axes() < 3 ? 120 : 40);
  }

  problem_field draw_field() {
    problem_field field;
    unsigned const all = (1U << num_axes()) - 1;
    field.low_axes = chance(50) ? 0 : static_cast<unsigned>(pick(0, static_cast<int>(all)));
    field.components = one_of({1, 1, 1, 2, 3});
    if (!made_.fields.empty() && chance(40)) { // alike, so that they may be swapped
      field.low_axes = made_.fields.back().low_axes;
      field.components = made_.fields.back().components;
    }
    field.levels = one_of({1, 1, 1, 2, 3});
    draw_conditions(field);
    return field;
  }

  void draw_conditions(problem_borders& borders) {
    for (auto& axis : borders.borders)
      for (border_condition& condition : axis)
        condition = {static_cast<border_kind>(pick(0, 6)), 0.25 * pick(-8, 8)};
  }

  /// Lets some conditions of a field read another one that lies at the same places, or itself; the
  /// time; a value.
  void choose_sources(problem_field& field) {
    if (chance(50))
      choose_sources(field, field.low_axes);
  }
  void choose_sources(problem_borders& borders, unsigned low_axes) {
    for (auto& axis : borders.sources)
      for (problem_source& source : axis) {
        int const number = draw_field_number();
        problem_field const& other = made_.fields[number];
        if (other.low_axes == low_axes && chance(50)) {
          source.field = number;
          source.component = pick(0, other.components - 1);
        }
        source.takes_time = chance(40);
        source.held = chance(20) ? pick(0, step_problem::num_values - 1) : -1;
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

  /// Inserts swaps of fields alike.
  void add_swaps() {
    for (int n = chance(40) ? pick(1, 2) : 0; n > 0; --n) {
      problem_kernel swap;
      swap.kind = kernel_kind::swaps;
      swap.field = draw_field_number();
      swap.swapped = draw_field_number();
      problem_field const& a = made_.fields[swap.field];
      problem_field const& b = made_.fields[swap.swapped];
      if (swap.field != swap.swapped && a.low_axes == b.low_axes && a.components == b.components)
        made_.kernels.insert(
            made_.kernels.begin() + pick(0, static_cast<int>(made_.kernels.size())), swap);
    }
  }

  /// Inserts computations of values, between any two kernels.
  void add_settings() {
    for (int n = made_.kernels.empty() || chance(40) ? pick(1, 2) : 0; n > 0; --n) {
      problem_kernel setting;
      setting.kind = kernel_kind::sets;
      setting.reduces = pick(0, step_problem::num_values - 1);
      setting.value = pick(0, step_problem::num_values - 1);
      setting.of_value = 0.25 * pick(-8, 8);
      made_.kernels.insert(made_.kernels.begin() + pick(0, static_cast<int>(made_.kernels.size())),
                           setting);
    }
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

  /// A kernel in order changes no field that conditions on borders of what else it reads depend on.
  void leave_orders() {
    for (problem_kernel& kernel : made_.kernels)
      for (problem_read const& read : kernel.reads)
        if (kernel.order_axis >= 0 && read.field >= 0 &&
            (depends(made_.fields[read.field], kernel.field) ||
             (kernel.bordered == read.field && depends(kernel.own_borders, kernel.field)))) {
          kernel.order_axis = -1;
          kernel.own.lists = {{axis_entries{}}};
        }
  }
  static bool depends(problem_borders const& borders, int other) {
    for (auto const& axis : borders.sources)
      for (problem_source const& source : axis)
        if (source.field == other)
          return true;
    return false;
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

  int draw_field_number() { return pick(0, static_cast<int>(made_.fields.size()) - 1); }

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

  /// Steps are not fused in which blocks take turns.
  void unfuse_turns() {
    for (problem_kernel const& kernel : made_.kernels)
      if (kernel.order_axis >= 0 && made_.axes[kernel.order_axis].processes > 1)
        made_.fused = std::min(made_.fused, 1);
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

  std::mt19937_64 random_;
  int most_ranks_, reach_ = 1;
  step_problem made_;
};

inline step_problem make_step_problem(problem_number const& which) {
  return step_problem_maker(which).make();
}

} // namespace seam::testing
