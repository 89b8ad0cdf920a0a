/// The command-line options of seam-bench-partition.
#pragma once

#include "cloud.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace partition_bench {

struct options {
  std::vector<shape> clouds{shape::box, shape::cluster};
  std::vector<std::int64_t> points{1000000, 4000000}; ///< counts of all ranks' points
  std::vector<std::string> meshes{};                  ///< Gmsh files
  std::vector<int> parts{2, 16, 64, 256};
  int repetitions = 5;
  std::string csv;
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace partition_bench
