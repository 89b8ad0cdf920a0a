/// The command-line options of seam-bench-scale.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scale_bench {

struct options {
  std::int64_t cells = 4096; ///< of each rank's block
  int edges = 6;             ///< of each rank in graphs and sparse exchanges
  int repetitions = 5;       ///< of each timing
  int node_size = 16;        ///< ranks that share memory
  std::vector<std::string> transports{"messages", "shared"};
  std::vector<std::string> operations; ///< that are measured; none: all
  std::string csv;
};

} // namespace scale_bench
