/// What seam-bench-collectives can be asked for on its command line.
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
  choice_of_rivals rivals;        ///< its forms are those of seam's calls too
  std::optional<int> repetitions; ///< 0: nothing is timed
  double seconds = 1;             ///< for a question, if more than 5 repetitions take longer
  std::string csv;
};

/// Makes `cli` store what it reads in `wanted`, which it refers to. Local.
void add_options(CLI::App& cli, options& wanted);

/// All that is asked. Local.
/// @throws usage_error  nothing, since no operation has a meaning on these neighborhoods
std::vector<question> questions(options const& wanted);

} // namespace collective_bench
