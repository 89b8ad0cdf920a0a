/// Neutral elements: what a reduction of nothing is.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace seam {

/// The bytes of one element that changes no other under `op`; empty if there is none, or none is
/// known for `type`: all of C and C++ that MPI names, and Fortran's of 1 to 8 bytes for each number
/// are. Local.
std::vector<std::byte> neutral_element_of(MPI_Op op, MPI_Datatype type);

} // namespace seam
