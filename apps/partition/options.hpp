/// The command-line options of seam-partition.
#pragma once

#include <seam/partition.hpp>
#include <seam/program.hpp>

#include <string>
#include <vector>

namespace partition_app {

struct options {
  std::string input; ///< a mesh, or points as CSV
  int parts = 64;
  std::vector<std::string> methods{"rib"}; ///< the first one finds the parts that are written
  std::string output, picture;

  bool is_of_points() const { return input.ends_with(".csv"); }
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(seam::option_list cli, options& wanted);

} // namespace partition_app
