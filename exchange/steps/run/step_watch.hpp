/// Step watches: what is found out about kernels by calling them, and in checked mode while they run.
#pragma once

#include <seam/exchange/steps/program/step_program.hpp>

#include <string>

namespace seam::detail {

/// Calls each kernel on a recorder, and gives kernels recorders in checked mode.
/// @return  the declared offsets that kernels have not read, in words
/// @throws usage_error  a kernel reads or writes what it does not declare
/// Local.
std::string probe_kernels(step_program& program);

/// In checked mode: lets bodies note values that are not finite. True if some kernel has watches.
/// Local.
bool watch_values(step_program& program);

/// What bodies have found first.
/// Local.
not_finite_value first_not_finite(step_program const& program);

} // namespace seam::detail
