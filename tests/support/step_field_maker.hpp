/// Draws the grid and the fields of a program of steps, with the conditions on their borders.
#pragma once

#include <support/step_problem.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace seam::testing {

class step_field_maker {
protected:
  explicit step_field_maker(problem_number const& which)
      : random_(static_cast<std::uint64_t>(which.seed) * 7'000'003U +
                static_cast<std::uint64_t>(which.number)),
        most_ranks_(which.most_ranks) {
    random_.discard(10);
  }

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  int one_of(std::vector<int> const& all) { return all[pick(0, static_cast<int>(all.size()) - 1)]; }
  int num_axes() const { return static_cast<int>(made_.axes.size()); }

  int draw_field_number() { return pick(0, static_cast<int>(made_.fields.size()) - 1); }

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
        condition = {static_cast<border_kind>(pick(0, num_border_kinds - 1)), 0.25 * pick(-8, 8)};
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

  void choose_far(problem_borders& borders) {
    for (int a = 0; a < num_axes(); ++a)
      for (border_condition& condition : borders.borders[a])
        if (chance(50))
          condition.sees =
              pick(0, static_cast<int>(std::min<std::int64_t>(made_.axes[a].cells, 5)) - 1);
  }

  std::mt19937_64 random_;
  int most_ranks_, reach_ = 1;
  step_problem made_;
};

} // namespace seam::testing
