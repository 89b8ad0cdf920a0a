#include <seam/exchange/mpi/detail/file_hints.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

namespace seam::mpi {

hints written_together() {
  hints made;
  check(MPI_Info_create(made.receive()), "MPI_Info_create");
  check(MPI_Info_set(made.native(), "romio_cb_write", "enable"), "MPI_Info_set");
  return made;
}

} // namespace seam::mpi
