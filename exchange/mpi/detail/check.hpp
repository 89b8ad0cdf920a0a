/// Checks of MPI's calls: the one place where MPI's return codes become exceptions.
///
///     mpi::check(MPI_Barrier(comm), "MPI_Barrier");
#pragma once

#include <seam/exchange/ground/error.hpp>

#include <mpi.h>

#include <cstdint>

namespace seam::mpi {

/// Throws mpi_error with the call's name, MPI's error class and text unless `code` is MPI_SUCCESS.
/// Local. Only meaningful for communicators that return errors; all of seam's do.
void check(int code, char const* call, detail::source_place place = detail::source_place::here());

/// `value` as an int, the type of MPI's counts.
/// @throws usage_error  it does not fit; the line names `what`
int narrow(std::int64_t value, char const* what,
           detail::source_place place = detail::source_place::here());

/// True between MPI_Init and MPI_Finalize. Local, any thread.
bool is_running() noexcept;

/// The level of thread support, MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE: see thread_level.hpp.
/// Local.
int thread_level();

} // namespace seam::mpi
