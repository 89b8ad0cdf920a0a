/// Step checks: contradictions in a program, found before anything runs.
#pragma once

#include <seam/stencil/detail/step_program.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

class step_dataflow;

/// Completes the declaration of a kernel: the grid and the places at which it computes, and the
/// offsets to which it adds.
/// Local.
void complete(std::vector<std::shared_ptr<field_state>> const& fields, step_kernel& kernel);

/// @throws usage_error  fields of other grids, a field in contradicting roles, an in-place kernel
///         that reads neighbors, a value that is taken before it is set, a field that is read as a
///         whole when only a part has been written, ...
/// Local.
void check_program(step_program const& program, grid_space const& grid);

/// @param fused_steps  between messages; 1: none are fused
/// @throws usage_error  more than 1024 steps are fused, or steps in which blocks take turns
/// Local.
void check_fusion(step_program const& program, int fused_steps);

/// @throws usage_error  ghosts beyond a border are needed that have no condition
/// Local.
void check_borders_of(step_dataflow const& flow, int rank);

} // namespace seam::detail
