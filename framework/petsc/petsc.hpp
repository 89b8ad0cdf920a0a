/// PETSc: its start, its end and its errors. Programs that use it link seam::petsc.
///
///     start_petsc(runtime);
///     check_petsc(DMSetUp(dm), "DMSetUp");
///
/// seam's headers do not include PETSc's, so that programs without PETSc can include them.
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/comm.hpp>

namespace seam {

/// A failed call of PETSc, with the call's name, PETSc's own text and the place in its sources.
class petsc_error : public error {
public:
  petsc_error(std::string const& line, int code) : error(line), code_(code) {}

  /// PETSc's number of the error.
  int code() const noexcept { return code_; }

private:
  int code_;
};

/// True if seam was built with PETSc.
/// Local.
bool has_petsc() noexcept;

/// Starts PETSc, with a copy of `over` as PETSC_COMM_WORLD, unless it runs already.
///
/// PETSc installs no signal handlers, returns errors to the caller, and reads its options from the
/// environment (PETSC_OPTIONS). It ends with MPI.
/// @throws usage_error  seam was built without PETSc; PETSc runs on some of the processes only, or
///         has ended already (on all ranks)
/// Collective: over `over`.
void start_petsc(mpi::comm_view over);

/// Throws petsc_error, in one line, if a call of PETSc has returned another code than 0.
/// @param call  the function's name
/// Local.
void check_petsc(int code, char const* call);

} // namespace seam
