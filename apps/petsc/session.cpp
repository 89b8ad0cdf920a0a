#include "session.hpp"

#include <seam/exchange/error.hpp>

#include <fmt/format.h>

namespace petsc {

void check(PetscErrorCode code, char const* call) {
  if (code != 0)
    throw seam::error(fmt::format("{} failed with PETSc's error {}", call, code));
}

void start() {
  PetscBool running = PETSC_FALSE;
  check(PetscInitialized(&running), "PetscInitialized");
  if (running)
    return;
  check(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"), "PetscOptionsSetValue");
  check(PetscInitializeNoArguments(), "PetscInitializeNoArguments");
  auto const end = [](MPI_Comm, int, void*, void*) -> int { return PetscFinalize(); };
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

} // namespace petsc
