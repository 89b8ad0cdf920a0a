// Sweeps by hand whose ranks read each other's memory, in two ways: rims are copied into ghosts before
// the planes beside them are computed, or read where they lie. What is between the two is what a halo
// without copies would gain.
#pragma once

#include <seam/exchange.hpp>

namespace bench {

// Median times of a sweep. [s]
struct rim_times {
  double copied = 0;
  double where_they_lie = 0;
};

// Times both ways in turn over `cells`^3 cells of each rank, `repetitions` times each, for endpoints
// of one process in a row along the slowest axis. Collective. A wrong sum ends the program.
// scale: factor of the number of sweeps in a repetition
rim_times time_rims(seam::Communicator const& ranks, int cells, int repetitions, double scale);

} // namespace bench
