/// The watch: how the processes of a job find out why one of them waits for long. Each process
/// answers the questions of the others, over a communicator of the watch: how often it has made the
/// call in which the other waits, and what it does instead. The lowest of the ranks that wait
/// together prints one line, and ends the job if one that is missing has left:
///
///     seam: rank 0 has waited for 10 s in make_halo, a call of 4 ranks: rank 2 has not made it, it
///     computes and called allreduce last, 12 s ago; rank 3 has not made it, it has left
///
/// A message needs the rank at its other end (peers.hpp), or one of several:
///
///     seam: rank 2 has waited for 10 s in receive, which needs rank 3: it waits in barrier
///
/// At MPI_THREAD_MULTIPLE the progress thread answers (progress.hpp), whatever the program does;
/// below, a process answers while it waits in seam. Ranks are those of MPI_COMM_WORLD.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

namespace seam::detail {

/// Makes the processes of the job watch while it lives, if stalls are to be reported on some rank
/// (time_before_report()) and they do not watch already.
class watching {
public:
  /// Collective: over all processes of the job.
  explicit watching(mpi::comm_view world);
  watching(watching const&) = delete;
  watching& operator=(watching const&) = delete;

  /// Ends the watch; questions in flight stay without an answer.
  /// Collective: over all processes of the job, unless MPI has ended.
  ~watching();

private:
  bool has_begun_;
};

/// True if processes of the job can be asked.
/// Threads: any.
bool is_watched() noexcept;

/// True if they can be asked whatever they do: at MPI_THREAD_MULTIPLE.
/// Threads: any.
bool is_watched_at_any_time() noexcept;

/// A communicator of all processes of the job for messages by which some of them meet before a call
/// of the MPI library; not to be used unless is_watched(). Local.
mpi::comm_view comm_of_meetings() noexcept;

/// Makes `end` end the job after the report of a wait that cannot end: one for a call of several
/// ranks if one of them has left the program. nullptr: such waits are only reported.
/// Threads: any; `end` is called by the thread that reports.
void end_hopeless_waits_by(void (*end)()) noexcept;

/// Makes this process answer that it has left, while it waits for all others to leave too.
class leaving {
public:
  leaving() noexcept;
  leaving(leaving const&) = delete;
  leaving& operator=(leaving const&) = delete;
  ~leaving();
};

/// True while a `leaving` lives.
/// Threads: any.
bool has_left() noexcept;

} // namespace seam::detail
