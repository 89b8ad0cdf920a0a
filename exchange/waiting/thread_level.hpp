/// Thread levels: which threads of a process may call MPI, and so seam.
///
///     single, funneled    the thread that started MPI
///     serialized          any thread, one at a time
///     multiple            any threads at once; seam's progress thread then moves operations while
///                         the program computes
///
/// With endpoints the levels hold for each endpoint by itself: at `funneled` it has one thread, at
/// `serialized` one at a time.
///
/// mpi::thread_level() of check.hpp is the lowest of three: the level that MPI gives, the one that
/// SEAM_THREAD_LEVEL names, and the limit set here.
#pragma once

#include <atomic>
#include <string_view>

namespace seam::mpi {

/// The level that SEAM_THREAD_LEVEL names: MPI_THREAD_SINGLE for "single" and so on;
/// MPI_THREAD_MULTIPLE without it. Local.
/// @throws usage_error  it names something else
int wanted_thread_level();

/// Limits thread_level() to `level` from now on. The same on all ranks, whose operations depend on
/// it. Local.
void limit_thread_level(int level) noexcept;

} // namespace seam::mpi

namespace seam::detail {

/// The calls of a process, or of an endpoint, that are under way.
struct calls_under_way {
  std::atomic<int const*> caller = nullptr; ///< at MPI_THREAD_SERIALIZED the thread that calls
};

/// Counts the calls of this thread among those of an endpoint from now on, or of the process if
/// `of_endpoint` is nullptr. Local.
void count_calls_in(calls_under_way* of_endpoint) noexcept;

/// A call of seam under way. Checked mode makes sure that its thread may make it: at
/// MPI_THREAD_FUNNELED that it is the thread that started MPI, or of an endpoint, at
/// MPI_THREAD_SERIALIZED that no other thread of the process, or of the endpoint, is in such a
/// call. Local.
///
/// Cost: one read of a word where checks are off.
class call_of_thread {
public:
  /// @param call, what  as the error says it: "pready" of "psend_init to rank 3"
  /// @throws usage_error  the thread may not call
  call_of_thread(char const* call, std::string_view what);
  call_of_thread(call_of_thread const&) = delete;
  call_of_thread& operator=(call_of_thread const&) = delete;
  ~call_of_thread();

private:
  calls_under_way* counted_in_ = nullptr; ///< at MPI_THREAD_SERIALIZED
};

} // namespace seam::detail
