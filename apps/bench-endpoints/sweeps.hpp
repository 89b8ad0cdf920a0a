// Sweeps of Jacobi's iteration on ranks that are neighbors, and on as many that are not: what all of
// a halo costs, and so the most that any other way to it could save.
#pragma once

#include <seam/exchange.hpp>

namespace bench {

// Median times of a sweep. [s]
struct sweep_times {
  double among_neighbors = 0; // ranks in a row
  double alone = 0;           // each rank with a grid of its own
};

// Times sweeps in turn over `cells`^3 cells of each rank, `repetitions` times each. Collective.
// scale: factor of the number of sweeps in a repetition
sweep_times time_sweeps(seam::Communicator const& ranks, int cells, int repetitions, double scale);

} // namespace bench
