/// Progress: operations in flight keep moving while their process does something else.
///
/// An operation of several rounds, a check of a call and a partitioned operation need their process
/// between the rounds: it passes on the messages that arrive. Each is listed here as
/// `progressable`. Two callers move all of them:
///
///     every wait of seam     patience::pause(), once it has looked for a while
///     the progress thread    at MPI_THREAD_MULTIPLE, from the first nonblocking start on
///
/// so that a process may wait for one operation while its neighbors wait for another. With the
/// thread it may also compute, or stay in a call of the MPI library.
#pragma once

namespace seam::detail {

/// An operation that waits of other operations and the progress thread can move.
class progressable {
public:
  progressable() = default;
  progressable(progressable const&) = delete;
  progressable& operator=(progressable const&) = delete;
  virtual ~progressable() = default;

  /// Moves the operation as far as it goes without waiting. Called now and then by the progress
  /// thread and by waits for other operations, by one thread at a time. Returns true if there is
  /// more to come soon. Errors are kept for the user's next call of the operation.
  virtual bool make_progress() noexcept = 0;

  /// True if make_progress() has nothing to do before the operation is started again.
  /// Threads: any.
  virtual bool is_at_rest() const noexcept { return false; }
};

/// Lists `operation`: from now on waits of this process and the progress thread move it.
/// Threads: any.
void add_to_progress(progressable& operation);

/// Takes `operation` off the list: after the return neither a wait nor the thread moves it.
/// Threads: any, but not from within make_progress().
void remove_from_progress(progressable& operation);

/// Starts the progress thread, unless it runs already or the level is below MPI_THREAD_MULTIPLE.
/// Threads: any.
void start_progress_thread();

/// Takes all operations off the list, before MPI ends: in MPICH 4.0 no other thread may be in a call of
/// MPI when MPI_Finalize() is called.
/// Threads: any, but not from within make_progress().
void end_progress() noexcept;

/// Moves all listed operations once, unless another thread does so at this moment, or MPI's thread
/// level forbids the calling thread to.
/// Threads: any.
void progress_all() noexcept;

/// Calls progress_all() at each 16th call of a thread: for tests that programs make in loops.
/// Threads: any.
void progress_now_and_then() noexcept;

} // namespace seam::detail
