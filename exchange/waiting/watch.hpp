/// The watch: how the processes of a job find out why one of them waits for long. Each answers the
/// questions of the others, over a communicator of its own: how often it has called where the other
/// waits, and what it does instead. One of those that wait together prints one line:
///
///     seam: rank 0 has waited for 10 s in make_halo, a call of 4 ranks: rank 2 has not made it, it
///     computes and called allreduce last, 12 s ago; rank 3 has not made it, it has left
///
/// A message needs the rank at its other end (peers.hpp), or one of several:
///
///     seam: rank 2 has waited for 10 s in receive, which needs rank 3: it waits in barrier
///
/// The progress thread answers (progress.hpp): at MPI_THREAD_MULTIPLE its thread, whatever the
/// program does, else a process that waits in seam. Ranks are those of MPI_COMM_WORLD.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

namespace seam {

/// The processes of the job watch while it lives, if a rank wants stalls to be reported
/// (time_before_report()) and they do not watch already.
class watching {
public:
  /// Collective: over all processes of the job.
  explicit watching(mpi::comm_view world);
  watching(watching const&) = delete;
  watching& operator=(watching const&) = delete;

  /// Questions that are on their way stay without an answer. Collective, unless MPI has ended.
  ~watching();

private:
  bool has_begun_;
};

/// True if processes of the job can be asked. Threads: any.
bool is_watched() noexcept;

/// While it lives this process answers that it has left: it waits for all others to leave too.
class leaving {
public:
  leaving() noexcept;
  leaving(leaving const&) = delete;
  leaving& operator=(leaving const&) = delete;
  ~leaving();
};

/// True while a `leaving` lives. Threads: any.
bool has_left() noexcept;

} // namespace seam
