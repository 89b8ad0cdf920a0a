/// The comparison: seam's forms of each operation and all of its rivals, one question after the
/// other.
#pragma once

#include "options.hpp"

namespace collective_bench {

/// The answers to `asked`. All variants must leave the same bits before anything is timed.
/// @param repetitions  of each variant; 0 counts messages alone
/// @throws usage_error  two variants leave different results
/// Collective: over all processes.
seam::benchmark_table compare(seam::Runtime& runtime, std::vector<question> const& asked,
                              options const& wanted, int repetitions);

} // namespace collective_bench
