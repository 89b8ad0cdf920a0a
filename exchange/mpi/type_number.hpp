/// Numbers by which datatypes are recognized.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace seam::mpi {

/// A number that no other datatype has or will have; handles of freed types are reused by MPI.
/// Local.
std::uintptr_t number_of_type(MPI_Datatype type);

} // namespace seam::mpi
