/// The offsets of a neighborhood that lead from a process of a grid to another place in it.
#pragma once

#include <seam/mapping.hpp>

#include <functional>
#include <span>

namespace map {

/// Lists the offsets of a grid once for each way that they take in it, with weights of their own.
///
/// Left out are offsets that lead beyond a border from every process. Around a periodic axis, an
/// offset that is as long as the axis, or longer, is replaced by its rest: the way is the same.
/// Offsets that have become equal are one with the sum of their weights. So there are fewer than
/// 2^d offsets for each process of the grid, however far the neighborhood reaches.
/// @param weight_of  of an offset as it was given; at least 0
/// @throws usage_error  a sum of weights is 2^31 or more
/// Local.
/// Cost: proportional to grid.offsets.size().
seam::offset_list offsets_within(seam::stencil_grid const& grid,
                                 std::function<int(std::span<int const>)> const& weight_of);

} // namespace map
