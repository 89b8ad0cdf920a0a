/// What seam-bench-mapping can be asked for on its command line.
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
  std::vector<std::int64_t> block{512, 512}; ///< of each rank, two or three extents [cells]
  int width = 8;                             ///< layers of ghosts
  std::vector<int> processes;                ///< on each axis; empty: seam chooses
  bool periodic = false;
  std::vector<std::string> placements{"in-order", "dealt-out"};
  std::vector<std::string> strategies{"identity", "scotch", "best"};
  int halos = 10; ///< whose bytes are counted together
  int repetitions = 20;
  std::optional<double> seconds;   ///< after which no repetition begins; of each placement
  std::optional<double> tolerance; ///< between counted and predicted bytes, as a fraction [1]
};

/// Makes `cli` store what it reads in `wanted`, which it refers to. Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace mapping_bench
