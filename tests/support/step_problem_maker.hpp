/// Draws programs of steps: a seed and a number determine a problem.
#pragma once

#include <support/step_kernel_maker.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace seam::testing {

/// Draws one program.
class step_problem_maker : step_kernel_maker {
public:
  explicit step_problem_maker(problem_number const& which) : step_kernel_maker(which) {}

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
  /// Lets conditions see more than the mirror image, no more than an axis has; turned borders are those
  /// of the other end of the same axis.
  void choose_far_borders() {
    for (problem_field& field : made_.fields)
      choose_far(field);
    for (problem_kernel& kernel : made_.kernels)
      if (kernel.bordered >= 0)
        choose_far(kernel.own_borders);
  }
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

  /// Steps are not fused in which blocks take turns.
  void unfuse_turns() {
    for (problem_kernel const& kernel : made_.kernels)
      if (kernel.order_axis >= 0 && made_.axes[kernel.order_axis].processes > 1)
        made_.fused = std::min(made_.fused, 1);
  }
};

inline step_problem make_step_problem(problem_number const& which) {
  return step_problem_maker(which).make();
}

} // namespace seam::testing
