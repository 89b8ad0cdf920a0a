/// Exceptions as C programs see them: error codes of MPI, whose strings are the error lines.
#pragma once

#include <seam/exchange/agreement/agreement.hpp>

#include <mpi.h>

namespace seam::detail {

/// Lines that have a code of their own; beyond, the codes of the oldest say new ones.
inline constexpr int most_error_codes = 256;

/// MPI's error code of `report`: of its class, where it has one, and with its line as the string,
/// as far as MPI's strings reach. The same report has the same code, unless most_error_codes others
/// have come since. Local. Threads: any.
int error_code_for(error_report const& report);

/// The same of the exception in flight; for use inside a catch block.
int code_of_current_exception();

/// Calls the error handler of `comm` with `code`, that of MPI_COMM_WORLD if there is no `comm`.
void call_error_handler(MPI_Comm comm, int code);

/// Refuses a null pointer where `call` wants the address of something, as "a flag". Local.
/// @throws usage_error  of class MPI_ERR_ARG
void require_address(char const* call, void const* address, char const* of_what);

/// Runs `body`, makes an exception an error code and calls the error handler of `comm` with it.
/// Returns MPI_SUCCESS or the code.
template <class Body>
int guarded(MPI_Comm comm, Body const& body) {
  try {
    body();
    return MPI_SUCCESS;
  } catch (...) {
    int const code = code_of_current_exception();
    call_error_handler(comm, code);
    return code;
  }
}

} // namespace seam::detail
