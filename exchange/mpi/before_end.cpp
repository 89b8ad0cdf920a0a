#include <seam/exchange/mpi/before_end.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <mpi.h>

namespace seam::mpi {
namespace {

using action = void (*)();

int call_action(MPI_Comm, int, void* act, void*) {
  reinterpret_cast<action>(act)();
  return MPI_SUCCESS;
}

} // namespace

/// MPI_Finalize first takes the attributes off MPI_COMM_SELF, in reverse order.
void before_end(action act) {
  int key = MPI_KEYVAL_INVALID;
  check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_action, &key, nullptr),
        "MPI_Comm_create_keyval");
  check(MPI_Comm_set_attr(MPI_COMM_SELF, key, reinterpret_cast<void*>(act)), "MPI_Comm_set_attr");
  check(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
}

} // namespace seam::mpi
