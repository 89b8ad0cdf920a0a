/// Lists of neighbors: the processes that each process receives from and sends to in a topology.
#pragma once

#include "experiments/experiment.hpp"

#include <seam/mapping.hpp>

#include <vector>

namespace guidelines {

/// The ranks at the other ends of a process's edges. MPI_PROC_NULL stands for no process.
struct neighbor_lists {
  std::vector<int> sources, destinations;

  friend bool operator==(neighbor_lists const&, neighbor_lists const&) = default;
};

/// The list in rising order. Local.
std::vector<int> sorted(std::vector<int> list);

/// The grid of an experiment's processes, whose first dimensions are finite; of one process without
/// dimensions if the topology has none.
/// Local.
seam::CartesianNaming grid_of(experiment const& described, int num_processes);

/// The lists of process `rank`, which any process can compute.
///
/// Offsets of vonNeumann and Moore lead to destinations, and their opposites from sources, in the
/// same order; those that leave the grid are left out. Those of Cartesian are (-1, +1) along each
/// dimension and keep their place where they leave the grid. Full lists all other processes,
/// sources upwards and destinations downwards from `rank`; FullSelf the same behind `rank` itself,
/// so that a collective along its edges has the effect of the global one. RAND permutes the offsets
/// of each process by a seed of its own; of Full and FullSelf the sources and destinations
/// independently.
///
/// @return  none for Complete
/// @throws usage_error  there are too many offsets
/// Local.
/// Source: [Luebbe2017] sec. 3.1.
neighbor_lists lists_of(experiment const& described, int num_processes, int rank);

} // namespace guidelines
