/// How many processes a grid has on each axis, and what its options must not be.
#pragma once

#include <seam/stencil/fields/grid.hpp>

#include <vector>

namespace seam::detail {

/// Checks cells, domain and processes of each axis, whatever the number of processes.
/// Errors: usage_error that names the axis. Local.
template <int D>
void check_options(grid_options<D> const& options);

/// The number of processes on each axis, for blocks that are as thick as a halo of `width`.
/// Errors: usage_error if there are none, or blocks are too large for an int. Local.
template <int D>
std::vector<int> processes_for(int num_processes, grid_options<D> const& options,
                               ghost_width<D> const& width);

} // namespace seam::detail
