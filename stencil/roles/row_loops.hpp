/// Row loops: call a kernel at the places of a run, with the views that rows (row_views.hpp) make.
#pragma once

#include <seam/stencil/roles/kernel_body.hpp>
#include <seam/stencil/roles/row_views.hpp>

#include <type_traits>

namespace seam::detail {

/// The loop in which most kernels spend their time: a function of its own, with all that it calls
/// inside, so that it has all registers, and a kernel that no store to a field changes.
template <class Kernel, class... Rows>
[[gnu::noinline, gnu::flatten]] void call_along_rows(Kernel const kernel, int begin, int end,
                                                     int num_rows, Rows... rows) {
  for (int row = 0;;) {
    int k = begin;
    if constexpr ((is_of_pairs<Rows> || ...)) {
      if (!have_pair_at(k, rows...) && k < end) {
        kernel(rows.at(k)...);
        ++k;
      }
      int const num_pairs = have_pair_at(k, rows...) ? (end - k) / 2 : 0;
#pragma GCC ivdep
      for (int n = 0; n < num_pairs; ++n) {
        kernel(view_in_pair<0>(rows, k, n)...);
        kernel(view_in_pair<1>(rows, k, n)...);
      }
      k += 2 * num_pairs;
    }
#pragma GCC ivdep
    for (; k < end; ++k)
      kernel(rows.at(k)...);
    if (++row == num_rows)
      break;
    (rows.next_row(), ...);
  }
  (end_row(rows), ...);
}

/// Calls the kernel at every second place of rows side by side, none of which reads what it writes at
/// another. From row to row the first one is a place nearer.
/// @param distance  of the first place from `begin` in the first row: 0 or 1
template <class Kernel, class... Rows>
[[gnu::noinline, gnu::flatten]] void call_every_second(Kernel const kernel, int begin, int end,
                                                       int distance, int num_rows, Rows... rows) {
  for (int row = 0;;) {
    int const first = begin + distance, count = (end - first + 1) / 2;
#pragma GCC ivdep
    for (int n = 0; n < count; ++n)
      kernel(rows.at(first + n * 2)...);
    if (++row == num_rows)
      break;
    distance = 1 - distance;
    (rows.next_row(), ...);
  }
  (end_row(rows), ...);
}

/// Calls the kernel at `count` places of each row, one after another. The compiler knows the step.
template <int Step, class Kernel, class... Rows>
[[gnu::noinline, gnu::flatten]] void call_one_by_one(Kernel const kernel, int first, int count,
                                                     int num_rows, Rows... rows) {
  for (int row = 0;;) {
    for (int n = 0; n < count; ++n)
      kernel(rows.at(first + n * Step)...);
    if (++row == num_rows)
      break;
    (rows.next_row(), ...);
  }
  (end_row(rows), ...);
}

/// Calls a kernel at the places of a run.
/// @tparam IsOrdered  values differ if the kernel takes the places in another order than the run's
template <bool IsOrdered, class Kernel, class... Rows>
void compute_run(Kernel const& kernel, place_run const& run, Rows const&... rows) {
  if constexpr (IsOrdered)
    switch (run.order) {
    case place_order::forward:
      return call_one_by_one<1>(kernel, run.begin, run.end - run.begin, run.num_rows, rows...);
    case place_order::backward:
      return call_one_by_one<-1>(kernel, run.end - 1, run.end - run.begin, run.num_rows, rows...);
    case place_order::every_second:
      return call_every_second(kernel, run.begin, run.end, run.distance, run.num_rows, rows...);
    case place_order::any: break;
    }
  call_along_rows(kernel, run.begin, run.end, run.num_rows, rows...);
}

} // namespace seam::detail
