/// The problem of all rivals: one rank's block of n^3 doubles in one layer of ghosts, in a periodic
/// three-dimensional grid of processes. Plain loops and MPI ranks, as in a program written by hand.
///
///     data   [n + 2][n + 2][n + 2]; index 0 and n + 1 are ghosts
#pragma once

#include <kit/benchmark.hpp>
#include <seam/grid.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace halo_bench {

using direction = seam::cell_index<3>; ///< -1, 0 or 1 on each axis, not all 0

enum class neighbors { faces, moore };

struct block {
  MPI_Comm comm;                       ///< ranks in row-major order of their coordinates
  std::array<int, 3> processes, place; ///< extents of the grid of processes, own coordinates
  neighbors which;
  std::int64_t n;
  double* data;

  /// The 6 or 26 directions, in lexicographic order.
  std::vector<direction> directions() const;

  /// The rank that lies in a direction.
  int neighbor(direction const& to) const;

  bool is_own(direction const& to) const { return neighbor(to) == neighbor({0, 0, 0}); }

  std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (i * (n + 2) + j) * (n + 2) + k;
  }
};

/// A box of a block's cells, ghosts included.
using cells = seam::box<3>;

/// The owned cells on one side, which are sent in that direction.
cells rim(block const& of, direction const& to);

/// The ghosts on one side, which are received from that direction.
cells ghosts(block const& of, direction const& from);

direction opposite(direction const& to);

/// Copies a box into a buffer of its size, out of a buffer, or to a box of the same extents.
void pack(block const& from, cells const& box, double* into);
void unpack(double const* from, block const& into, cells const& box);
void copy(block const& inside, cells const& from, cells const& into);

/// Sets every owned cell to its global number and every ghost to -1.
void number_cells(block const& all);

/// Describes the first ghost that does not hold the number of the cell that it copies; empty if the
/// ghosts in all directions do.
std::string first_wrong_ghost(block const& all);

/// A method to fill a block's ghosts, planned for that block.
class way : public bench::method {
public:
  /// Fills the ghosts in all directions.
  /// Collective: over the block's communicator.
  virtual void exchange() = 0;
};

using rival = bench::rival_of<way, block const&>;

/// Rivals by plain MPI: messages packed for each direction, slabs axis after axis, subarray types on a graph.
std::vector<rival> rivals_of_mpi();

/// PETSc's distributed arrays. In builds with PETSc.
std::vector<rival> rivals_of_petsc();

/// The limit: all rims are copied to the opposite ghosts of the same block, without messages.
rival bare_copy();

} // namespace halo_bench
