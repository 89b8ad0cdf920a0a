/// Carried values: those that a kernel does not write itself, in memory that it updates into.
#pragma once

#include <seam/stencil/roles/kernel_body.hpp>

#include <vector>

namespace seam::detail {

/// The arguments of a kernel that writes only some of the values of new memory.
/// Local.
std::vector<carried_access> carried_by(step_program const& program, step_kernel const& kernel);

/// Copies the other values of a tile from old memory to new.
/// Local.
void carry_others(step_kernel const& kernel, tile_call const& call);

} // namespace seam::detail
