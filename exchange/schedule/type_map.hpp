/// The type map of an MPI datatype: where the bytes of an element lie.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace seam::detail {

/// Contiguous bytes at a distance from the beginning of an element. [bytes]
struct contiguous_bytes {
  std::int64_t offset, bytes;
};

/// The bytes of an element of `type` in the order of its type map. Bytes without a gap between
/// them are one.
/// @throws usage_error  the datatype is made by a constructor that MPI 3 does not have
/// Local.
std::vector<contiguous_bytes> contiguous_bytes_of(MPI_Datatype type);

} // namespace seam::detail
