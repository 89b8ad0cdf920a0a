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

/// Counts a collective call to which each process adds `bytes` of its own.
void count_gathering(MPI_Comm comm, std::int64_t bytes);

} // namespace scale_bench
