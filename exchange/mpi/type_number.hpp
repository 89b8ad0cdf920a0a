/// Numbers of datatypes, by which to recognize them.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace seam::mpi {

/// A number that no other datatype has, and none will have, though MPI gives the handle of one that
/// has been freed to another. Local.
std::uintptr_t number_of_type(MPI_Datatype type);

} // namespace seam::mpi
