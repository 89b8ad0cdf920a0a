/// The command-line options of seam-bench-mapping.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mapping_bench {

struct options {
  std::vector<std::int64_t> block{512, 512}; ///< extents of a rank's block, two or three [cells]
  int width = 8;                             ///< layers of ghosts
  std::vector<int> processes;                ///< on each axis; empty: seam chooses
  bool periodic = false;
  std::vector<std::string> placements{"in-order", "dealt-out"};
  std::vector<std::string> strategies{"identity", "scotch", "best"};
  int halos = 10; ///< number of halos whose bytes are counted together
  int repetitions = 20;
  std::optional<double> seconds;   ///< limit of time of each placement, at which repetitions end
  std::optional<double> tolerance; ///< difference of counted and predicted bytes, relative [1]
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace mapping_bench
