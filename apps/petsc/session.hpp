/// PETSc's start and end, for programs that use it.
#pragma once

#include <petscsys.h>

namespace petsc {

/// Throws a seam::error that names `call` unless `code` is 0.
void check(PetscErrorCode code, char const* call);

/// Starts PETSc when first called. It ends with the program's last communicator.
/// Collective: over MPI_COMM_WORLD, the first time.
void start();

} // namespace petsc
