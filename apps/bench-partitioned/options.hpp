/// What seam-bench-partitioned can be asked for on its command line.
#pragma once

#include <cstdint>
#include <vector>

namespace CLI {
class App;
}

namespace partitioned_bench {

struct options {
  std::vector<std::int64_t> bytes{1024, 16384, 262144, 4194304}; ///< of all partitions together
  int partitions = 4;
  double work = 1; ///< of an epoch, in the time that one bulk exchange takes
  int repetitions = 50;
};

/// Makes `cli` store what it reads in `wanted`, which it refers to. Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace partitioned_bench
