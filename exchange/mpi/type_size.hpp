/// Sizes of MPI's datatypes.
#pragma once

#include <seam/exchange/mpi/detail/check.hpp>

#include <mpi.h>

#include <cstdint>

namespace seam::mpi {

/// The bytes of some predefined types, which are committed, of one value, and without gaps; 0 for
/// others. Local.
inline std::int64_t size_of_common(MPI_Datatype type) {
  if (type == MPI_DOUBLE)
    return sizeof(double);
  if (type == MPI_BYTE || type == MPI_CHAR)
    return sizeof(char);
  if (type == MPI_FLOAT)
    return sizeof(float);
  if (type == MPI_INT)
    return sizeof(int);
  if (type == MPI_INT64_T)
    return sizeof(std::int64_t);
  return type == MPI_LONG ? sizeof(long) : 0;
}

/// True for types that size_of_common() knows. Local.
inline bool is_common(MPI_Datatype type) { return size_of_common(type) > 0; }

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
