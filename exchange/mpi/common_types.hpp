/// Datatypes that most calls use, about which MPI need not be asked.
#pragma once

#include <mpi.h>

namespace seam::mpi {

/// True for some predefined types: committed, of one value, without gaps. Local.
inline bool is_common(MPI_Datatype type) {
  return type == MPI_DOUBLE || type == MPI_BYTE || type == MPI_CHAR || type == MPI_FLOAT ||
         type == MPI_INT || type == MPI_INT64_T || type == MPI_LONG;
}

} // namespace seam::mpi
