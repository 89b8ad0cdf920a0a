/// The attendant: what keeps operations in flight moving while their process does something else.
///
/// An operation of several rounds, a check of a call and a partitioned operation need their process
/// in the middle: it passes on what arrives. Each is enlisted here as `attended`. Two callers move
/// them:
///
///     every wait of seam          patience::pause(), once it has looked for a while
///     the attendant's thread      at MPI_THREAD_MULTIPLE, from the first nonblocking start on
///
/// so that a process may wait for one operation while its neighbors wait for another, and, with the
/// thread, compute or stay in a call of the MPI library.
#pragma once

namespace seam {

/// What is attended to.
class attended {
public:
  attended() = default;
  attended(attended const&) = delete;
  attended& operator=(attended const&) = delete;
  virtual ~attended() = default;

  /// Moves the operation as far as it goes without waiting. Called now and then by the attendant's
  /// thread and by waits of other operations, by one thread at a time. Returns true if there is
  /// more to come soon. Errors are kept for the user's next call of the operation.
  virtual bool attend() noexcept = 0;

  /// True if attend() has nothing to do before the operation is started again. Threads: any.
  virtual bool is_at_rest() const noexcept { return false; }
};

/// From now on waits of this process attend to `one`. Threads: any.
void begin_attending(attended& one);

/// From the return on neither waits nor the thread attend to `one`. Threads: any but from within
/// attend().
void stop_attending(attended& one);

/// Starts the attendant's thread, if it does not run yet and MPI has been started with
/// MPI_THREAD_MULTIPLE. Threads: any.
void employ_attendant();

/// Attends to all of this process once, unless another thread does so at this moment, or MPI's
/// thread level forbids the calling thread to. Threads: any.
void attend_to_all() noexcept;

/// The same at each 16th call of a thread: for calls that programs make in loops. Threads: any.
void attend_now_and_then() noexcept;

} // namespace seam
