/// Carried values: those that a kernel does not write itself, in memory that it updates into.
#pragma once

#include <seam/stencil/detail/step_program.hpp>

#include <vector>

namespace seam::detail {

/// The arguments of a kernel that writes only some of the values of new memory.
/// Local.
template <int D>
std::vector<carried_access> carried_by(step_program<D> const& program,
                                       step_kernel<D> const& kernel);

/// Copies the other values of a tile from old memory to new.
/// Local.
template <int D>
void carry_others(step_kernel<D> const& kernel, tile_call<D> const& call);

} // namespace seam::detail
