/// Step checks: contradictions in a program, found before anything runs.
#pragma once

#include <seam/stencil/detail/step_program.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace seam::detail {

template <int D>
class step_dataflow;

/// Wider of both at each end.
template <int D>
ghost_width<D> wider(ghost_width<D> first, ghost_width<D> const& second) {
  for (int a = 0; a < D; ++a) {
    first.below[a] = std::max(first.below[a], second.below[a]);
    first.above[a] = std::max(first.above[a], second.above[a]);
  }
  return first;
}

/// Completes the declaration of a kernel: the grid and the places at which it computes, and the
/// offsets to which it adds.
/// Local.
template <int D>
void complete(std::vector<std::shared_ptr<field_state<D>>> const& fields, step_kernel<D>& kernel);

/// @throws usage_error  fields of other grids, a field in contradicting roles, an in-place kernel
///         that reads neighbors, a value that is taken before it is set, a field that is read as a
///         whole when only a part has been written, ...
/// Local.
template <int D>
void check_program(step_program<D> const& program, Grid<D> const& grid);

/// @param fused_steps  between messages; 1: none are fused
/// @throws usage_error  more than 1024 steps are fused, or steps in which blocks take turns
/// Local.
template <int D>
void check_fusion(step_program<D> const& program, int fused_steps);

/// @throws usage_error  ghosts beyond a border are needed that have no condition
/// Local.
template <int D>
void check_borders_of(step_dataflow<D> const& flow, int rank);

} // namespace seam::detail
