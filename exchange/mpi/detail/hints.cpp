#include <seam/exchange/mpi/detail/hints.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

namespace seam::mpi {
namespace {

hints hint(char const* key, char const* value) {
  hints made;
  check(MPI_Info_create(made.receive()), "MPI_Info_create");
  check(MPI_Info_set(made.native(), key, value), "MPI_Info_set");
  return made;
}

} // namespace

hints parts_apart() { return hint("alloc_shared_noncontig", "true"); }

hints written_together() { return hint("romio_cb_write", "enable"); }

} // namespace seam::mpi
