/// Located keys: a number to be least, and the place that has it, as MPI reduces them.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>

namespace seam::detail {

/// A key, and the index of a place. The least of some is that of the lowest index among equal keys.
using located_key = std::array<std::int64_t, 4>;

/// The type of a located key on the wire, and the operation that takes the least. MPI frees them with
/// itself. Local.
MPI_Datatype located_type();
MPI_Op least_located();

} // namespace seam::detail
