/// The command-line options of seam-partition.
#pragma once

#include <seam/partition.hpp>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace partition_app {

struct options {
  std::string input; ///< a mesh, or points as CSV
  int parts = 64;
  std::vector<seam::partition_method> methods{seam::partition_method::rib};
  std::string output, picture;

  bool is_of_points() const { return input.ends_with(".csv"); }
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace partition_app
