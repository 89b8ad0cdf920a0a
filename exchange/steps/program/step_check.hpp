/// Step checks: contradictions in a program, found before anything runs.
#pragma once

#include <seam/exchange/steps/program/step_program.hpp>

#include <string>

namespace seam::detail {

/// @param space  of the steps
/// @throws usage_error  a field in contradicting roles, an in-place kernel that reads neighbors, a value
///         that is taken before it is set, a field that is read as a whole when only a part has been
///         written, what the space refuses, ...
/// Local.
void check_program(step_program const& program, step_space const& space);

/// True for a kernel that only reduces, to values that no kernel and no condition of the program takes.
/// Local.
bool serves_callers_alone(step_program const& program, step_kernel const& kernel);

/// Describes a component that the program reads though no caller has set it and no kernel computes it,
/// the same on all ranks; nothing if there is none.
/// Collective: over the space.
std::string words_of_unset_input(step_program const& program, step_space const& space);

} // namespace seam::detail
