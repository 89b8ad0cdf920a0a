#include <seam/stencil/fields/grid_processes.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/mapping/dims.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace seam::detail {

template <int D>
void check_options(grid_options<D> const& options) {
  for (int a = 0; a < D; ++a) {
    if (options.cells[a] < 1)
      refuse(fmt::format("grid: {} cells on axis {} (expected at least 1)", options.cells[a], a));
    bool const is_finite = std::isfinite(options.upper[a] - options.lower[a]);
    if (!is_finite || !(options.lower[a] < options.upper[a]))
      refuse(fmt::format("grid: the domain extends from {} to {} on axis {} (expected {})",
                         options.lower[a], options.upper[a], a,
                         is_finite ? "ascending" : "a finite length"));
    if (options.processes[a] < 0)
      refuse(fmt::format("grid: {} processes on axis {} (expected at least 1, or 0 for any number)",
                         options.processes[a], a));
  }
}

namespace {

/// Checks that the process counts that a user fixes divide the number of processes.
template <int D>
void check_processes(int num_processes, grid_options<D> const& options) {
  std::vector<int> fixed;
  std::ranges::copy_if(options.processes, std::back_inserter(fixed), [](int n) { return n > 0; });
  int left = num_processes;
  for (int const count : fixed)
    left = left % count == 0 ? left / count : 0;
  bool const all_are_fixed = fixed.size() == options.processes.size();
  if (left == 0 || (all_are_fixed && left != 1))
    refuse(fmt::format("grid: processes {} on {} ranks: {} {} {} (expected 0 on an axis for any "
                       "number)",
                       options.processes, num_processes, fmt::join(fixed, "x"),
                       all_are_fixed ? "is not" : "does not divide", num_processes));
}

/// The least thickness of blocks: that of the halo, which wraps around a thinner periodic axis of one
/// process.
template <int D>
std::int64_t width_of_blocks(grid_options<D> const& options, ghost_width<D> const& width,
                             int axis) {
  std::int64_t const least = std::max<std::int64_t>(1, width.of(axis));
  return options.periodic[axis] ? std::min(least, options.cells[axis]) : least;
}

/// Checks that no axis is too short for the halo, alone or with the processes that a user fixes.
template <int D>
void check_axes(grid_options<D> const& options, ghost_width<D> const& width) {
  for (int axis = 0; axis < D; ++axis) {
    std::int64_t const most = options.cells[axis] / width_of_blocks<D>(options, width, axis);
    std::string const found = fmt::format("axis {} has {} cells and a halo of width {}", axis,
                                          options.cells[axis], width.of(axis));
    if (most == 0)
      refuse(fmt::format("grid: the grid itself is thinner than the halo: {} (expected at least {} "
                         "cells)",
                         found, width.of(axis)));
    if (options.processes[axis] > most)
      refuse(fmt::format("grid: {} processes on axis {} leave blocks thinner than the halo: {} "
                         "(expected at most {} processes there)",
                         options.processes[axis], axis, found, most));
  }
}

/// The axis whose processes are free and on which `cells` are the scarcest for halos of `width`.
template <int D>
int tightest_axis(grid_options<D> const& options, ghost_width<D> const& width) {
  auto const room = [&](int axis) {
    return options.processes[axis] > 0
               ? std::numeric_limits<double>::infinity()
               : static_cast<double>(options.cells[axis]) /
                     static_cast<double>(std::max<std::int64_t>(1, width.of(axis)));
  };
  int tightest = 0;
  for (int axis = 1; axis < D; ++axis)
    if (room(axis) < room(tightest))
      tightest = axis;
  return tightest;
}

template <int D>
[[noreturn]] void refuse_thin_blocks(int num_processes, cell_grid const& wanted,
                                     grid_options<D> const& options, ghost_width<D> const& width) {
  int const usable = largest_usable_process_count(num_processes, wanted);
  int const axis = tightest_axis<D>(options, width);
  refuse(
      fmt::format("grid: {} cells on {} processes leave blocks thinner than the halo: axis {} has "
                  "{} cells and a halo of width {} (expected at most {} processes)",
                  fmt::join(options.cells, "x"), num_processes, axis, options.cells[axis],
                  width.of(axis), usable));
}

/// Checks that indices of a block and its ghosts fit an int, and the bytes of a field an int64_t.
template <int D>
void check_blocks(std::vector<int> const& dims, grid_options<D> const& options,
                  ghost_width<D> const& width) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  constexpr double most_cells = 1LL << 50;
  double cells = 1;
  for (int a = 0; a < D; ++a) {
    std::int64_t const room = most - width.below[a] - width.above[a];
    std::int64_t const extent = (options.cells[a] - 1) / dims[a] + 1;
    if (extent > room)
      refuse(fmt::format("grid: axis {} has {} cells on {} processes: blocks of {} (expected at "
                         "most {})",
                         a, options.cells[a], dims[a], extent, room));
    cells *= static_cast<double>(extent + width.below[a] + width.above[a]);
  }
  if (cells > most_cells)
    refuse(fmt::format("grid: {} cells on {} processes: blocks of {:.1e} (expected at most {:.1e})",
                       fmt::join(options.cells, "x"), fmt::join(dims, "x"), cells, most_cells));
}

} // namespace

template <int D>
std::vector<int> processes_for(int num_processes, grid_options<D> const& options,
                               ghost_width<D> const& width) {
  check_processes<D>(num_processes, options);
  check_axes<D>(options, width);
  cell_grid wanted{{options.cells.begin(), options.cells.end()},
                   {},
                   {options.processes.begin(), options.processes.end()}};
  for (int axis = 0; axis < D; ++axis)
    wanted.widths.push_back(mpi::narrow(width_of_blocks<D>(options, width, axis),
                                        "grid: halo width"));
  auto const dims = dims_for_blocks(num_processes, wanted);
  if (!dims)
    refuse_thin_blocks<D>(num_processes, wanted, options, width);
  check_blocks<D>(*dims, options, width);
  return *dims;
}

template void check_options<1>(grid_options<1> const&);
template void check_options<2>(grid_options<2> const&);
template void check_options<3>(grid_options<3> const&);
template std::vector<int> processes_for<1>(int, grid_options<1> const&, ghost_width<1> const&);
template std::vector<int> processes_for<2>(int, grid_options<2> const&, ghost_width<2> const&);
template std::vector<int> processes_for<3>(int, grid_options<3> const&, ghost_width<3> const&);

} // namespace seam::detail
