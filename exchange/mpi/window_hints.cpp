#include <seam/exchange/mpi/window_hints.hpp>

namespace seam::mpi {

hints parts_apart() {
  hints made;
  check(MPI_Info_create(made.receive()), "MPI_Info_create");
  check(MPI_Info_set(made.native(), "alloc_shared_noncontig", "true"), "MPI_Info_set");
  return made;
}

} // namespace seam::mpi
