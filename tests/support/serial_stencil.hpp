/// A stencil problem solved serially on one plain array, without ghosts, blocks, messages, or the
/// library under test. Values beyond a border are computed from their definition each time they are
/// read.
#pragma once

#include <support/stencil_problem.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace seam::testing {

/// The values of type T of all cells, and their sweeps.
template <class T>
class serial_stencil {
public:
  explicit serial_stencil(stencil_problem const& problem)
      : problem_(problem), values_(problem.num_cells()) {
    for (int n = 0; n < std::ssize(values_); ++n)
      values_[n] = static_cast<T>(first_value(cell_of(n)));
  }

  /// [cells of axis 0][of axis 1][of axis 2], as many as there are axes.
  std::vector<T> const& values() const { return values_; }

  void sweep() {
    std::vector<T> next(values_.size());
    for (int n = 0; n < std::ssize(next); ++n) {
      axis_entries const cell = cell_of(n);
      double sum = 0;
      for (int s = 0; s < std::ssize(problem_.offsets); ++s)
        sum +=
            problem_.coefficients[s] * static_cast<double>(value(moved(cell, problem_.offsets[s])));
      next[n] = static_cast<T>(sum);
    }
    values_ = next;
  }

private:
  axis_entries cell_of(std::int64_t left) const {
    axis_entries cell{};
    for (int a = std::ssize(problem_.axes); a-- > 0;) {
      cell[a] = left % problem_.axes[a].cells;
      left /= problem_.axes[a].cells;
    }
    return cell;
  }

  static axis_entries moved(axis_entries cell, axis_entries const& by) {
    for (int a = 0; a < std::ssize(cell); ++a)
      cell[a] += by[a];
    return cell;
  }

  /// The value at a place inside or outside of the domain. Periodic axes wrap. A place beyond
  /// several borders has the value of the border of the last axis; its mirror image lies beyond the
  /// others.
  T value(axis_entries cell) const {
    for (int a = 0; a < std::ssize(problem_.axes); ++a)
      if (std::int64_t const n = problem_.axes[a].cells; problem_.axes[a].is_periodic)
        cell[a] = (cell[a] % n + n) % n;
    for (int a = std::ssize(problem_.axes); a-- > 0;)
      if (cell[a] < 0)
        return beyond(cell, a, -1 - cell[a], problem_.axes[a].low);
      else if (cell[a] >= problem_.axes[a].cells)
        return beyond(cell, a, 2 * problem_.axes[a].cells - 1 - cell[a], problem_.axes[a].high);
    std::int64_t number = 0;
    for (int a = 0; a < std::ssize(problem_.axes); ++a)
      number = number * problem_.axes[a].cells + cell[a];
    return values_[number];
  }

  /// The value at `cell`, beyond a border of `axis`; `mirror` is the entry of the mirror image
  /// there.
  T beyond(axis_entries const& cell, int axis, std::int64_t mirror,
           border_condition const& border) const {
    axis_entries image = cell;
    image[axis] = mirror;
    return value_beyond(border, value(image), cell, axis, mirror,
                        std::span<problem_axis const>(problem_.axes));
  }

  stencil_problem const& problem_;
  std::vector<T> values_;
};

} // namespace seam::testing
