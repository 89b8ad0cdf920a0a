/// The command-line options of seam-bench-steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace steps_bench {

struct options {
  std::vector<std::string> problems{"heat",  "laplace",       "gray-scott",
                                    "wave",  "shallow-water", "cavity",
                                    "euler", "multigrid",     "alternating-directions"};
  std::int64_t cells_2d = 2048, cells_3d = 256; ///< on each axis
  std::int64_t steps = 8;                       ///< in one run
  int fused = 4, repetitions = 10;
  int late = 0; ///< that messages arrive later than they do; 0: such steps are not timed [us]
  std::string csv;
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace steps_bench
