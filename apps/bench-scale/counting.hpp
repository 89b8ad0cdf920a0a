/// Counting: what the replaced functions of MPI add to the counts of mpi_calls.hpp.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace scale_bench {

std::int64_t bytes_of(int count, MPI_Datatype type);

/// Counts a message of one process to another.
void count_send(std::int64_t bytes);

/// Counts a collective call that combines or spreads one value of `bytes`.
void count_tree(MPI_Comm comm, std::int64_t bytes);

/// Counts a call that combines `bytes` of all processes on all: over a tree, or if they are many, in
/// parts that each process combines and spreads.
void count_reduction(MPI_Comm comm, std::int64_t bytes);

/// Counts a collective call by which all processes get `bytes` of each, or each gets its own from one.
void count_gathering(MPI_Comm comm, std::int64_t bytes);

/// Counts a call that brings `bytes` of each process to one, over a tree.
void count_gathering_to_one(MPI_Comm comm, std::int64_t bytes);

/// Counts a call in which each process sends `bytes` of its own to one, which alone knows the lengths.
void count_lists_to_one(std::int64_t bytes);

} // namespace scale_bench
