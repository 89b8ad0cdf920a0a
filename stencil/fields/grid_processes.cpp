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

void check_options(space_options const& options) {
  for (int a = options.first_axis(); a < 3; ++a) {
    int const axis = a - options.first_axis();
    if (options.cells[a] < 1)
      refuse(fmt::format("grid: {} cells on axis {} (expected at least 1)", options.cells[a],
                         axis));
    bool const is_finite = std::isfinite(options.upper[a] - options.lower[a]);
    if (!is_finite || !(options.lower[a] < options.upper[a]))
      refuse(fmt::format("grid: the domain extends from {} to {} on axis {} (expected {})",
                         options.lower[a], options.upper[a], axis,
                         is_finite ? "ascending" : "a finite length"));
    if (options.processes[a] < 0)
      refuse(fmt::format("grid: {} processes on axis {} (expected at least 1, or 0 for any number)",
                         options.processes[a], axis));
  }
}

namespace {

/// Checks that the process counts that a user fixes divide the number of processes.
void check_processes(int num_processes, space_options const& options) {
  auto const given = last_entries(options.processes, options.num_axes);
  std::vector<int> fixed;
  std::ranges::copy_if(given, std::back_inserter(fixed), [](int n) { return n > 0; });
  int left = num_processes;
  for (int const count : fixed)
    left = left % count == 0 ? left / count : 0;
  bool const all_are_fixed = fixed.size() == given.size();
  if (left == 0 || (all_are_fixed && left != 1))
    refuse(fmt::format("grid: processes {} on {} ranks: {} {} {} (expected 0 on an axis for any "
                       "number)",
                       given, num_processes, fmt::join(fixed, "x"),
                       all_are_fixed ? "is not" : "does not divide", num_processes));
}

/// The least thickness of blocks: that of the halo, which wraps around a thinner periodic axis of one
/// process.
std::int64_t width_of_blocks(space_options const& options, ghost_width<3> const& width, int axis) {
  std::int64_t const least = std::max<std::int64_t>(1, width.of(axis));
  return options.periodic[axis] ? std::min(least, options.cells[axis]) : least;
}

/// Checks that no axis is too short for the halo, alone or with the processes that a user fixes.
void check_axes(space_options const& options, ghost_width<3> const& width) {
  for (int a = options.first_axis(); a < 3; ++a) {
    int const axis = a - options.first_axis();
    std::int64_t const most = options.cells[a] / width_of_blocks(options, width, a);
    std::string const found = fmt::format("axis {} has {} cells and a halo of width {}", axis,
                                          options.cells[a], width.of(a));
    if (most == 0)
      refuse(fmt::format("grid: the grid itself is thinner than the halo: {} (expected at least {} "
                         "cells)",
                         found, width.of(a)));
    if (options.processes[a] > most)
      refuse(fmt::format("grid: {} processes on axis {} leave blocks thinner than the halo: {} "
                         "(expected at most {} processes there)",
                         options.processes[a], axis, found, most));
  }
}

/// The axis whose processes are free and on which `cells` are the scarcest for halos of `width`.
int tightest_axis(space_options const& options, ghost_width<3> const& width) {
  auto const room = [&](int axis) {
    return options.processes[axis] > 0
               ? std::numeric_limits<double>::infinity()
               : static_cast<double>(options.cells[axis]) /
                     static_cast<double>(std::max<std::int64_t>(1, width.of(axis)));
  };
  int tightest = options.first_axis();
  for (int axis = tightest + 1; axis < 3; ++axis)
    if (room(axis) < room(tightest))
      tightest = axis;
  return tightest;
}

[[noreturn]] void refuse_thin_blocks(int num_processes, cell_grid const& wanted,
                                     space_options const& options, ghost_width<3> const& width) {
  int const usable = largest_usable_process_count(num_processes, wanted);
  int const a = tightest_axis(options, width);
  refuse(
      fmt::format("grid: {} cells on {} processes leave blocks thinner than the halo: axis {} has "
                  "{} cells and a halo of width {} (expected at most {} processes)",
                  fmt::join(last_entries(options.cells, options.num_axes), "x"), num_processes,
                  a - options.first_axis(), options.cells[a], width.of(a), usable));
}

/// Checks that indices of a block and its ghosts fit an int, and the bytes of a field an int64_t.
void check_blocks(std::vector<int> const& dims, space_options const& options,
                  ghost_width<3> const& width) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  constexpr double most_cells = 1LL << 50;
  double cells = 1;
  for (int axis = 0; axis < options.num_axes; ++axis) {
    int const a = axis + options.first_axis();
    std::int64_t const room = most - width.below[a] - width.above[a];
    std::int64_t const extent = (options.cells[a] - 1) / dims[axis] + 1;
    if (extent > room)
      refuse(fmt::format("grid: axis {} has {} cells on {} processes: blocks of {} (expected at "
                         "most {})",
                         axis, options.cells[a], dims[axis], extent, room));
    cells *= static_cast<double>(extent + width.below[a] + width.above[a]);
  }
  if (cells > most_cells)
    refuse(fmt::format("grid: {} cells on {} processes: blocks of {:.1e} (expected at most {:.1e})",
                       fmt::join(last_entries(options.cells, options.num_axes), "x"),
                       fmt::join(dims, "x"), cells, most_cells));
}

} // namespace

std::vector<int> processes_for(int num_processes, space_options const& options,
                               ghost_width<3> const& width) {
  check_processes(num_processes, options);
  check_axes(options, width);
  cell_grid wanted;
  for (int a = options.first_axis(); a < 3; ++a) {
    wanted.cells.push_back(options.cells[a]);
    wanted.widths.push_back(mpi::narrow(width_of_blocks(options, width, a), "grid: halo width"));
    wanted.processes.push_back(options.processes[a]);
  }
  auto const dims = dims_for_blocks(num_processes, wanted);
  if (!dims)
    refuse_thin_blocks(num_processes, wanted, options, width);
  check_blocks(*dims, options, width);
  return *dims;
}

} // namespace seam::detail
