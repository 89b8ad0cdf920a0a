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

#include <memory>
#include <vector>

namespace seam::mpi {

/// True if stalls are reported and the thread level is below MPI_THREAD_MULTIPLE: seam itself then
/// has to wait for late processes. The same on all processes of `over`.
/// Collective: over `over`, the first time; local from then on.
bool must_meet(comm_view over);

/// Returns when all processes of `over` have called, if they must_meet(); otherwise at once.
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

/// A blocking call that the processes of a group make together, whatever other processes do.
///
/// Collective: over `some`, the group, in the order of the calls of these processes.
class reported_call_of_group {
public:
  /// @param name  lives as long as the program
  reported_call_of_group(MPI_Group some, char const* name);

private:
  std::vector<int> ranks_; ///< of MPI_COMM_WORLD, ascending; none if no process can be asked
  std::shared_ptr<seam::detail::call_record> record_;
  seam::detail::call_scope here_;
  seam::detail::wait_scope waiting_;
};

} // namespace seam::mpi
