#include <seam/exchange/mpi/ordered_type.hpp>

namespace seam::mpi {

MPI_Datatype ordered_type(MPI_Op op, MPI_Datatype type) {
  if ((op != MPI_MIN && op != MPI_MAX) || type != MPI_UNSIGNED_LONG)
    return type;
  return sizeof(unsigned long) == 8 ? MPI_UINT64_T : MPI_UINT32_T;
}

} // namespace seam::mpi
