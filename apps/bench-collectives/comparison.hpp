/// The comparison of seam's forms of each operation with its rivals, question by question.
#pragma once

#include "rivals.hpp"

#include <seam/program.hpp>

#include <optional>

namespace collective_bench {

struct options {
  std::vector<std::string> operations = names_of_operations();
  std::vector<std::string> neighborhoods{"faces", "moore", "complete"};
  std::vector<int> dimensions{1, 2, 3, 4};
  std::vector<int> bytes{8, 512, 8192, 131072, 1048576};
  std::vector<std::string> forms{names_of_forms.begin(), names_of_forms.end()};
  std::optional<int> repetitions; ///< 0: messages are counted, not timed
  double seconds = 1;             ///< limit of a question's time, after 5 repetitions
  std::string csv;

  bool has(form how) const {
    return std::ranges::count(forms, names_of_forms[static_cast<int>(how)]) > 0;
  }
};

/// Lists the questions of the command line.
/// @throws usage_error  there are none, since no operation is defined on these neighborhoods
/// Local.
std::vector<question> questions(options const& wanted);

/// Times all variants of each question, after checking that they leave the same bits.
/// @param repetitions  repetitions of each variant; 0 counts messages alone
/// @throws usage_error  two variants leave different results; persistent calls of the MPI library that
///         leave others than seam are left out instead, with a line on stderr
/// Collective: over all processes.
seam::benchmark_table compare(seam::Runtime& runtime, std::vector<question> const& asked,
                              options const& wanted, int repetitions);

} // namespace collective_bench
