/// Lengths of messages in statuses, of any size. MPI 4.1 has new names for the calls.
#pragma once

#include <seam/exchange/mpi/detail/check.hpp>

#include <mpi.h>

#include <cstdint>

namespace seam::mpi {

/// The bytes of the message that `status` is of. Local.
inline std::int64_t bytes_of(MPI_Status const& status) {
  MPI_Count bytes = 0;
#if MPI_VERSION >= 4
  check(MPI_Get_elements_c(&status, MPI_BYTE, &bytes), "MPI_Get_elements_c");
#else
  check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
#endif
  return bytes;
}

/// Makes `status` that of a message of as many bytes, which bytes_of() and MPI_Get_count() then find.
/// Local.
/// @return  MPI's error class
inline int set_bytes(MPI_Status& status, std::int64_t bytes) {
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
  return MPI_Status_set_elements_c(&status, MPI_BYTE, bytes);
#else
  return MPI_Status_set_elements_x(&status, MPI_BYTE, bytes);
#endif
}

} // namespace seam::mpi
