/// Datatypes that most calls use, about which MPI need not be asked.
#pragma once

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

} // namespace seam::mpi
