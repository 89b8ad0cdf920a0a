/// The command-line options of seam-bench-life.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace life_bench {

struct options {
  std::vector<std::int64_t> sizes{1024, 4096}; ///< rows and columns of the torus
  std::vector<std::string> rules{"B3/S23", "B36/S23"};
  std::int64_t generations = 64; ///< in one run
  int repetitions = 15;
  bool has_bytes = true; ///< false: no loops over bytes
  std::string csv;
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace life_bench
