/// How many processes a grid has on each axis, and what its options must not be.
#pragma once

#include <seam/stencil/space/grid_space.hpp>

#include <vector>

namespace seam::detail {

/// Checks cells, domain and processes of each axis, whatever the number of processes.
/// @param options  processes: 0 where any number will do
/// @throws usage_error  which names the axis; on this rank
void check_options(space_options const& options);

/// The number of processes on each axis of the grid, for blocks that are as thick as a halo of `width`.
/// @throws usage_error  there are none, or blocks are too large for an int; on this rank
std::vector<int> processes_for(int num_processes, space_options const& options,
                               ghost_width<3> const& width);

} // namespace seam::detail
