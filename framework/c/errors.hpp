/// Error codes of MPI for C programs: exceptions become codes, whose strings are the error lines.
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <mpi.h>

namespace seam::detail {

/// The number of lines that have a code of their own; further lines take over the oldest codes.
inline constexpr int most_error_codes = 256;

/// MPI's error code for `report`: of its class, where MPI has one, and with its line as the string,
/// cut to the length of MPI's strings. The same report has the same code, unless most_error_codes
/// others have come since. Local. Threads: any.
int error_code_for(error_report const& report);

/// The error code of the exception in flight; for use inside a catch block.
int code_of_current_exception();

/// Calls the error handler of `comm` with `code`, or that of MPI_COMM_WORLD for MPI_COMM_NULL.
void call_error_handler(MPI_Comm comm, int code);

/// Refuses a null pointer where `call` needs the address of `of_what`, such as "a flag". Local.
/// @throws usage_error  of class MPI_ERR_ARG
void require_address(char const* call, void const* address, char const* of_what);

/// Runs `body`; turns an exception into an error code and calls the error handler of `comm` with
/// it. Returns MPI_SUCCESS or the code.
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

/// The context of `comm`, which the calling thread may use; nullptr: its ranks are processes.
/// @throws usage_error  `comm` is MPI_COMM_NULL, or the thread is attached to another endpoint
mpi::context* context_for(char const* call, MPI_Comm comm);

} // namespace seam::detail
