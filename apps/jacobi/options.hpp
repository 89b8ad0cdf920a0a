/// The command-line options of seam-jacobi.
#pragma once

#include <seam/exchange.hpp>
#include <seam/simulation.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace jacobi {

struct options {
  std::vector<std::int64_t> cells{128, 128}; ///< 2 or 3, x first
  double tolerance = 1e-4;                   ///< bound of the residual in every cell
  std::int64_t max_iterations = 1'000'000;
  int check_every = 50; ///< [iterations]
  std::string boundary, output, picture, plot;
  seam::watch_options watched;
  seam::checkpoint_options restart;

  int num_axes() const { return static_cast<int>(cells.size()); }

  /// The cells in the order of a grid's axes: x last.
  template <int D>
  seam::cell_index<D> grid_cells() const {
    seam::cell_index<D> slowest_first{};
    std::copy(cells.rbegin(), cells.rend(), slowest_first.begin());
    return slowest_first;
  }
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(seam::option_list cli, options& wanted);

/// Checks that the outputs can be written.
/// @throws usage_error  the output ends with neither .vtkhdf nor .hdf, the picture not with .png,
///         the plot with neither .svg nor .png, or one of them cannot be written (on all ranks)
/// Collective: over `over`.
void check_outputs(seam::mpi::comm_view over, options const& wanted);

} // namespace jacobi
