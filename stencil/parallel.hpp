/// Loops over cells on Kokkos' host threads. Labels, for Kokkos' profiling tools, have at most 15
/// characters: strings of that length need no allocation.
#pragma once

#include <seam/stencil/box.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace seam {

/// Where seam's loops run: Kokkos' parallel backend for the host.
using host_execution = Kokkos::DefaultHostExecutionSpace;

namespace detail {

using host_rows = Kokkos::RangePolicy<host_execution, Kokkos::IndexType<std::int64_t>>;

/// All rows of `cells` along the last axis, numbered.
template <int D>
host_rows rows_of(box<D> const& cells) {
  return {0, cells.is_empty() ? 0 : cells.num_cells() / cells.extent(D - 1)};
}

/// Calls visit(cell) for each cell of row number `row` of `cells`.
template <int D, class Visit>
void for_each_in_row(box<D> const& cells, std::int64_t row, Visit visit) {
  cell_index<D> at = cells.lo;
  for (int a = D - 2; a >= 0; --a) {
    at[static_cast<std::size_t>(a)] += row % cells.extent(a);
    row /= cells.extent(a);
  }
  for (; at[D - 1] < cells.hi[D - 1]; ++at[D - 1])
    visit(std::as_const(at));
}

} // namespace detail

/// Calls visit(cell) for each of `cells`, in any order, on all threads; returns when all are done.
template <int D, class Visit>
void parallel_for_cells(char const* label, box<D> const& cells, Visit const& visit) {
  Kokkos::parallel_for(label, detail::rows_of(cells),
                       [=](std::int64_t row) { detail::for_each_in_row(cells, row, visit); });
}

/// Calls visit(tile) for each of `tiles`, in any order, on all threads as they become free.
template <int D, class Visit>
void parallel_for_tiles(char const* label, std::vector<box<D>> const& tiles, Visit const& visit) {
  using as_threads_come = Kokkos::RangePolicy<host_execution, Kokkos::Schedule<Kokkos::Dynamic>,
                                              Kokkos::IndexType<std::int64_t>>;
  auto const policy = as_threads_come(0, std::ssize(tiles)).set_chunk_size(1);
  Kokkos::parallel_for(label, policy, [=, tile = tiles.data()](std::int64_t t) { visit(tile[t]); });
}

/// The largest of value(cell) over `cells` by all threads; the lowest double if there are none. A
/// value that is not a number counts as infinite, so that it cannot hide.
template <int D, class Value>
double parallel_max(char const* label, box<D> const& cells, Value const& value) {
  double largest = std::numeric_limits<double>::lowest();
  auto const largest_of_row = [=](std::int64_t row, double& most) {
    detail::for_each_in_row(cells, row, [&](cell_index<D> const& at) {
      double const here = value(at);
      most = here <= most ? most : (here > most ? here : std::numeric_limits<double>::infinity());
    });
  };
  Kokkos::parallel_reduce(label, detail::rows_of(cells), largest_of_row,
                          Kokkos::Max<double>(largest));
  return largest;
}

/// The sum of value(cell) over `cells`: of integers, and so the same in any order.
template <int D, class Value>
std::int64_t parallel_sum(char const* label, box<D> const& cells, Value const& value) {
  std::int64_t sum = 0;
  auto const sum_of_row = [=](std::int64_t row, std::int64_t& into) {
    detail::for_each_in_row(cells, row, [&](cell_index<D> const& at) { into += value(at); });
  };
  Kokkos::parallel_reduce(label, detail::rows_of(cells), sum_of_row, sum);
  return sum;
}

} // namespace seam
