/// The command-line options of seam-bench-halo.
#pragma once

#include "block.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace halo_bench {

struct options {
  std::vector<std::int64_t> sizes{16, 32, 64, 128, 256}; ///< edge of a rank's block [cells]
  std::vector<neighbors> neighborhoods{neighbors::faces, neighbors::moore};
  int repetitions = 50;
  std::string csv;
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace halo_bench
