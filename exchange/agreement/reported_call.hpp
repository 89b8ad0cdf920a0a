/// Blocking calls of the MPI library that processes make together, and whose stalls are reported at
/// every thread level.
///
/// With MPI_THREAD_MULTIPLE the progress thread reports them, and answers the questions of other
/// processes. Below, a process could do neither while it is in the library. Where stalls are
/// reported the processes therefore meet in a nonblocking barrier first: they wait in seam, and the
/// call itself then waits for no late process.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

namespace seam::mpi {

/// Returns when all processes of `over` have called, if stalls are reported and the thread level is
/// below MPI_THREAD_MULTIPLE; otherwise at once.
/// Collective: over `over`.
void meet_if_reported(comm_view over);

/// A blocking call that all processes of `over` make together: counts on its record, and is a wait.
///
///     reported_call const now(over, "MPI_Win_create");
///     check(MPI_Win_create(...), "MPI_Win_create");
///
/// Collective: over `over`.
class reported_call {
public:
  /// @param name  lives as long as the program
  reported_call(comm_view over, char const* name) : now_(over, name) { meet_if_reported(over); }

private:
  seam::detail::blocking_call now_;
};

} // namespace seam::mpi
