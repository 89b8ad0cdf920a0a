/// Kernels on grids: what step_kernel leaves to the space, as boxes.
#pragma once

#include <seam/exchange/steps/program/step_kernel.hpp>
#include <seam/stencil/space/grid_space.hpp>

#include <string>
#include <vector>

namespace seam::detail {

/// The grid and the centering of the places at which a kernel computes, or a field has values.
inline grid_space const& grid_of(step_kernel const& kernel) {
  return static_cast<grid_space const&>(*kernel.space);
}
inline centering centering_of(step_kernel const& kernel) { return {kernel.kind}; }
inline grid_space const& grid_of(step_field const& field) {
  return static_cast<grid_space const&>(field.over());
}
inline centering centering_of(step_field const& field) { return {field.kind()}; }

/// @throws usage_error  a kernel is restricted to `layers` along an axis, one of which is impossible
/// Local.
void check_layers(std::string const& kernel, int axis, int layers, int num_axes);

/// True if an argument has values at some places of a kernel, which are alike in that: all but those
/// that a kernel writes beside others, elsewhere on cells.
bool has_values_at(step_kernel const& kernel, step_access const& access, box3 const& places);

/// The places of the domain at which a kernel is called, but for its mask.
box3 places_of(step_kernel const& kernel);

/// The places at which a kernel is called for `cells`: for each offset to which it adds those from
/// which cells lie at that offset, inside the domain.
std::vector<box3> sources_of(step_kernel const& kernel, box3 const& cells);

/// Those at which it is called and reads by an access.
std::vector<box3> sources_of(step_kernel const& kernel, step_access const& access,
                             box3 const& cells);

/// How far a kernel reads, and is called, beyond the cells that it computes.
ghost_width<3> reach_of(step_kernel const& kernel);

/// The axis of a kernel's order, and the processes along it.
int axis_of_order(step_kernel const& kernel);
int processes_in_order(step_kernel const& kernel);

/// True if a kernel runs in order along an axis that processes divide: these take turns.
///
///     one part                     two parts across the other axis
///     block 0   0                  0 | 1        the passes in which the parts of the blocks along
///     block 1   1                  1 | 2        the axis are computed: each after the same part of
///     block 2   2                  2 | 3        the block before
///
/// What a pass reads of others, messages bring between the passes, as they do between kernels. Parts
/// let blocks compute at the same time that lie one behind the other. The same on all ranks.
bool takes_turns(step_kernel const& kernel);

/// The parts that blocks have if a kernel runs in order: as many as messages are worth.
/// @param given  0: chosen
/// The same on all ranks.
int parts_of_blocks(step_kernel const& kernel, int given);

} // namespace seam::detail
