#include <seam/framework/petsc/petsc.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>
#include <seam/exchange/mpi/library.hpp>

#include <petscsys.h>

#include <fmt/format.h>

#include <string>
#include <utility>

namespace seam {
namespace {

/// The text of the error that PETSc returns next. Threads: one at a time, for all of PETSc.
std::string& last_problem() {
  static std::string line;
  return line;
}

/// Keeps the text of the place where an error begins, in place of PETSc's pages on stderr.
PetscErrorCode keep_problem(MPI_Comm, int line, char const* function, char const* file,
                            PetscErrorCode code, PetscErrorType kind, char const* text, void*) {
  if (kind == PETSC_ERROR_INITIAL)
    last_problem() =
        fmt::format("{} [{}, {}:{}]", text == nullptr ? "" : text,
                    function == nullptr ? "" : function, file == nullptr ? "" : file, line);
  return code;
}

void end_petsc() {
  auto const world = mpi::comm::from_native(PETSC_COMM_WORLD); // freed after the end of PETSc
  PetscFinalize();
}

bool is_true(PetscErrorCode (*ask)(PetscBool*), char const* call) {
  PetscBool answer = PETSC_FALSE;
  check_petsc(ask(&answer), call);
  return answer == PETSC_TRUE;
}

} // namespace

bool has_petsc() noexcept { return true; }

void start_petsc(mpi::comm_view over) {
  collectively(over, [] {
    if (is_true(PetscFinalized, "PetscFinalized"))
      refuse("petsc: it has ended already (expected one start in a process)");
  });
  bool const runs = is_true(PetscInitialized, "PetscInitialized");
  require_same(over, "petsc: its state, which one start makes common to all ranks",
               runs ? "started" : "not started");
  if (runs)
    return;
  PETSC_COMM_WORLD = mpi::dup(over).release();
  check_petsc(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"), "PetscOptionsSetValue");
  check_petsc(PetscInitializeNoArguments(), "PetscInitializeNoArguments");
  check_petsc(PetscPushErrorHandler(keep_problem, nullptr), "PetscPushErrorHandler");
  mpi::before_end(end_petsc);
}

void check_petsc(int code, char const* call) {
  if (code == 0)
    return;
  std::string const text = std::exchange(last_problem(), {});
  throw petsc_error(fmt::format("petsc: {} failed with error {}{}{}", call, code,
                                text.empty() ? "" : ": ", text),
                    code);
}

} // namespace seam
