/// The lone watch: reports waits of this process about which it cannot ask others (watch.hpp).
///
///     seam: rank 1 has waited for 10 s in make_halo: nothing has come from rank 0
///
/// These are all waits where no Runtime has been made, and below MPI_THREAD_MULTIPLE those inside a
/// call of the MPI library. A thread that makes no call of MPI looks at the waits now and then. It
/// begins with the first communicator of a process that reports stalls, or with its next wait.
#pragma once

namespace seam::detail {

/// Begins to look at this process's waits, if stalls are to be reported and it does not do so yet.
/// Threads: any that may call MPI.
void begin_lone_watch() noexcept;

/// Notes that the watch of the job looks at the waits of this process.
/// Threads: any.
void note_watch_of_job() noexcept;

} // namespace seam::detail
