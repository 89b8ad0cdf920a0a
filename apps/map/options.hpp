/// The command-line options of seam-map, and the grid that they describe.
#pragma once

#include <seam/mapping.hpp>
#include <seam/program.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace map {

struct options {
  std::string machine;       ///< synthetic; empty: the real one
  std::vector<int> grid;     ///< processes along each dimension; empty: print the machine alone
  std::vector<int> periodic; ///< [grid dimensions] 0 or 1; none if empty
  std::vector<int> block;    ///< [grid dimensions] cells of a process's block; empty: no weights
  std::string neighborhood = "von-neumann";
  std::vector<std::string> strategies; ///< all if empty
  int repetitions = 3;
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(seam::option_list cli, options& wanted);

/// Returns the grid of processes that is to be mapped on a machine of `num_places` places.
/// @throws usage_error  options contradict each other, there are more processes than places, or
///         more than 2^26 edges between them
/// Local.
seam::stencil_grid grid_of(options const& wanted, std::int64_t num_places);

} // namespace map
