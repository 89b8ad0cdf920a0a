/// Sizes of MPI's datatypes.
#pragma once

#include <seam/exchange/mpi/common_types.hpp>
#include <seam/exchange/mpi/detail/check.hpp>

#include <mpi.h>

#include <cstdint>

namespace seam::mpi {

/// The bytes of data in an element of `type`, without gaps. Local.
inline std::int64_t size_of(MPI_Datatype type) {
  if (std::int64_t const known = size_of_common(type); known > 0)
    return known;
  MPI_Count size = 0;
#if MPI_VERSION >= 4
  check(MPI_Type_size_c(type, &size), "MPI_Type_size_c");
#else
  check(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
#endif
  return size;
}

} // namespace seam::mpi
