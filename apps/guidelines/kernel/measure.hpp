/// Measurement of an experiment: repetitions between barriers, and the slowest process of each.
#pragma once

#include "experiments/results_file.hpp"

#include <seam/exchange.hpp>

namespace guidelines {

/// Makes the experiment's call, checks its result once, and times its repetitions.
///
///     barrier, begin, call and work, end, barrier        for each repetition
///
/// @param words    without a problem
/// @param barrier  a communicator of all processes for the barriers' messages
/// @return         on rank 0 with the times, each the maximum over the processes [s]
/// Collective: over `world`.
/// Source: [Luebbe2017] algorithm 1. Constructors of topologies are called between the barriers,
/// and what they make is freed behind them.
result measure(levels const& words, seam::Communicator const& world, seam::mpi::comm_view barrier);

/// A barrier of messages, the same for all MPI libraries: returns when all processes have called. In
/// round k each process sends to the one 2^k above it and receives from the one 2^k below.
/// Collective: over `over`.
/// Source: [Luebbe2017] sec. 3.1.
void dissemination_barrier(seam::mpi::comm_view over);

} // namespace guidelines
