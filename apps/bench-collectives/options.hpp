/// The command-line options of seam-bench-collectives.
#pragma once

#include "problem.hpp"
#include "rivals.hpp"

#include <optional>

namespace CLI {
class App;
}

namespace collective_bench {

struct options {
  std::vector<std::string> operations;
  std::vector<std::string> neighborhoods{"faces", "moore", "complete"};
  std::vector<int> dimensions{1, 2, 3, 4};
  std::vector<int> bytes{8, 512, 8192, 131072, 1048576};
  choice_of_rivals rivals;        ///< its forms are also those of seam's calls
  std::optional<int> repetitions; ///< 0: messages are counted, not timed
  double seconds = 1;             ///< limit of a question's time, after 5 repetitions
  std::string csv;
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

/// Lists the questions of the command line.
/// @throws usage_error  there are none, since no operation is defined on these neighborhoods
/// Local.
std::vector<question> questions(options const& wanted);

} // namespace collective_bench
