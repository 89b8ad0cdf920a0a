/// What seam-bench-sparse can be asked for on its command line.
#pragma once

#include "pattern.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sparse_bench {

struct options {
  std::vector<int> lengths{1, 64, 4096}; ///< of messages [doubles]
  double destinations = 4;               ///< of each rank in random patterns, on average
  int repetitions = 50;
  std::string csv;
};

/// Makes `cli` store what it reads in `wanted`, which it refers to. Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace sparse_bench
