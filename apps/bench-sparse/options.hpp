/// The command-line options of seam-bench-sparse.
#pragma once

#include "pattern.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sparse_bench {

struct options {
  std::vector<int> lengths{1, 64, 4096}; ///< lengths of messages [doubles]
  double destinations = 4;               ///< mean number for each rank in random patterns
  int repetitions = 50;
  std::string csv;
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace sparse_bench
