/// Exceptions as C programs see them: error codes of MPI, whose strings are the error lines.
#pragma once

#include <mpi.h>

#include <exception>
#include <string>

namespace seam::detail {

/// A new error code of MPI whose string is `line`, as far as MPI's strings reach. Local.
int error_code_for(std::string line);

/// Runs `body`, makes an exception an error code and calls the error handler of `comm` with it,
/// that of MPI_COMM_WORLD if there is no `comm`. Returns MPI_SUCCESS or the code.
template <class Body>
int guarded(MPI_Comm comm, Body const& body) {
  int code = MPI_SUCCESS;
  try {
    body();
  } catch (std::exception const& problem) {
    code = error_code_for(problem.what());
  } catch (...) {
    code = error_code_for("seam: an exception that is not a std::exception");
  }
  if (code != MPI_SUCCESS)
    MPI_Comm_call_errhandler(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code);
  return code;
}

} // namespace seam::detail
