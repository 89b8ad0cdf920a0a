/// Turns: in which pass of a kernel in order a block is computed, or one part of it after another.
///
///     one part                     two parts across the other axis
///     block 0   0                  0 | 1        the passes in which the parts of the blocks along
///     block 1   1                  1 | 2        the axis are computed: each after the same part of
///     block 2   2                  2 | 3        the block before
///
/// What a pass reads of others, messages bring between the passes, as they do between kernels. Parts
/// let blocks compute at the same time that lie one behind the other.
#pragma once

#include <seam/stencil/detail/step_program.hpp>

namespace seam::detail {

/// True if a kernel runs in order along an axis that processes divide. The same on all ranks.
bool takes_turns(step_kernel const& kernel);

/// The passes of a kernel in one step. The same on all ranks.
int num_passes(step_kernel const& kernel);

/// The cells, faces or corners that `rank` computes in a pass: all that it owns, or those whose turn
/// it is, which may be none.
/// Local.
box3 turn_of(step_kernel const& kernel, int rank, int pass);

/// The parts that blocks have if a kernel runs in order: as many as messages are worth.
/// @param given  0: chosen
/// The same on all ranks.
int parts_of_blocks(step_kernel const& kernel, int given);

} // namespace seam::detail
