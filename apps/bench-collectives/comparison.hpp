/// The comparison of seam's forms of each operation with its rivals, question by question.
#pragma once

#include "options.hpp"

#include <seam/program.hpp>

namespace collective_bench {

/// Times all variants of each question, after checking that they leave the same bits.
/// @param repetitions  repetitions of each variant; 0 counts messages alone
/// @throws usage_error  two variants leave different results; persistent calls of the MPI library that
///         leave others than seam are left out instead, with a line on stderr
/// Collective: over all processes.
seam::benchmark_table compare(seam::Runtime& runtime, std::vector<question> const& asked,
                              options const& wanted, int repetitions);

} // namespace collective_bench
