/// Blocking calls of the MPI library that processes make together, and whose stalls are reported at
/// every thread level.
///
/// With MPI_THREAD_MULTIPLE a thread of seam reports them, and answers the questions of other
/// processes. Below, a process could do neither while it is in the library. Where stalls are
/// reported the processes therefore meet first: they wait in seam until all have come, and then the
/// call itself waits for no late process.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

namespace seam::mpi {

/// Returns when all processes of `over` are here, if stalls are reported and the thread level is
/// below MPI_THREAD_MULTIPLE; else at once. Collective: over `over`.
void meet_if_reported(comm_view over);

/// A blocking call that all processes of `over` make together: counts there, and is a wait.
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
  blocking_call now_;
};

} // namespace seam::mpi
