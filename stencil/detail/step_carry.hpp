/// Carried values: those that a kernel does not write itself, in memory that it updates into.
#pragma once

#include <seam/stencil/detail/step_program.hpp>

namespace seam::detail {

/// Lets a kernel that writes only some of the values of new memory copy the others first.
/// @param program, kernel  outlive the kernel's calls
/// Local.
template <int D>
void carry_others(step_program<D> const& program, step_kernel<D>& kernel);

} // namespace seam::detail
