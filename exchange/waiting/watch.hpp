/// The watch: a thread of each process that looks at the waits of the others, and prints a line for
/// each that lasts long (stall.hpp): in which call, and what is missing as the process itself knows.
///
///     seam: rank 1 has waited for 60 s in make_halo: nothing has come from rank 0
///
/// In checked mode and where the user has wished for reports, the processes of a Runtime ask each
/// other, too: how often each has made the call, and what it does instead. The lowest of the ranks
/// that wait together prints the line, and ends the job if one that is missing has left:
///
///     seam: rank 0 has waited for 10 s in make_halo, a call of 4 ranks: rank 2 has not made it, it
///     computes and called allreduce last, 12 s ago; rank 3 has not made it, it has left
///
/// A message needs the rank at its other end (call_record::of_peers), or one of several:
///
///     seam: rank 2 has waited for 10 s in receive, which needs rank 3: it waits in barrier
///
/// The thread makes no call of MPI: it asks and answers by datagrams, at every thread level and
/// while its process is in the MPI library. Ranks are those of MPI_COMM_WORLD.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

namespace seam::detail {

/// Begins to look at this process's waits, if they are to be reported and it does not do so yet.
/// Threads: any that may call MPI.
void begin_watch() noexcept;

/// Makes the processes of the job ask each other while it lives, if some rank is to
/// (stalls_are_explained()) and they do not do so already.
class watching {
public:
  /// Collective: over all processes of the job.
  explicit watching(mpi::comm_view world);
  watching(watching const&) = delete;
  watching& operator=(watching const&) = delete;

  /// Ends it; questions in flight stay without an answer. Local.
  ~watching();

private:
  bool has_begun_;
};

/// True if processes of the job can be asked.
/// Threads: any.
bool is_watched() noexcept;

/// Makes `end` end the job after the report of a wait that cannot end: one for a call of several
/// ranks if one of them has left the program. nullptr: such waits are only reported.
/// Threads: any; `end` is called by the watch.
void end_hopeless_waits_by(void (*end)()) noexcept;

/// Makes this process answer that it has left, while it waits for all others to leave too.
class leaving {
public:
  leaving() noexcept;
  leaving(leaving const&) = delete;
  leaving& operator=(leaving const&) = delete;
  ~leaving();
};

} // namespace seam::detail
