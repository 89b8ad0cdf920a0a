/// The command-line options of seam-bench-partitioned.
#pragma once

#include <cstdint>
#include <vector>

namespace CLI {
class App;
}

namespace partitioned_bench {

struct options {
  std::vector<std::int64_t> bytes{1024, 16384, 262144, 4194304}; ///< lengths of buffers
  int partitions = 4;
  double work = 1; ///< work of an epoch, in units of the time of a bulk exchange
  int repetitions = 50;
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace partitioned_bench
