/// Neutral elements: the result of a reduction of no values, such as 0 for a sum.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace seam::detail {

/// The bytes of one element that changes no other element under `op`; empty if there is none, or
/// `type` is not known. Known are all C and C++ types that MPI names, and Fortran's types whose
/// numbers have 1 to 8 bytes. Local.
std::vector<std::byte> neutral_element_of(MPI_Op op, MPI_Datatype type);

} // namespace seam::detail
