#include "kernel/dissemination_barrier.hpp"

namespace guidelines {

void dissemination_barrier(seam::mpi::comm_view over) {
  constexpr int tag = 0;
  int const size = over.size(), rank = over.rank();
  for (int distance = 1; distance < size; distance *= 2)
    seam::mpi::check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, (rank + distance) % size, tag, nullptr, 0,
                                  MPI_BYTE, (rank - distance + size) % size, tag, over.native(),
                                  MPI_STATUS_IGNORE),
                     "MPI_Sendrecv");
}

} // namespace guidelines
