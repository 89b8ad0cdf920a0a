/// Thread levels: which threads of a process may call MPI, and so seam.
///
///     single, funneled    the thread that started MPI
///     serialized          any thread, one at a time
///     multiple            any threads at once; seam has one of its own then, which moves
///     operations
///                         while the program computes
///
/// mpi::thread_level() of check.hpp says what counts: the lowest of what MPI gives, what
/// SEAM_THREAD_LEVEL names, and what has been set here.
#pragma once

#include <string_view>

namespace seam::mpi {

/// What SEAM_THREAD_LEVEL names: MPI_THREAD_SINGLE for "single" and so on; MPI_THREAD_MULTIPLE
/// without it. Local.
/// @throws usage_error  it names something else
int wanted_thread_level();

/// From now on thread_level() is at most `level`. The same on all ranks, whose operations depend on
/// it. Local.
void limit_thread_level(int level) noexcept;

} // namespace seam::mpi

namespace seam {

/// A call of seam under way, of which checked mode makes sure that its thread may make it: at
/// MPI_THREAD_FUNNELED that it is the thread that started MPI, at MPI_THREAD_SERIALIZED that no
/// other is in such a call. Costs one look at a word where checks are off. Local.
class call_of_thread {
public:
  /// @param call, what  as the error says it: "pready" of "psend_init to rank 3"
  /// @throws usage_error  the thread may not call
  call_of_thread(char const* call, std::string_view what);
  call_of_thread(call_of_thread const&) = delete;
  call_of_thread& operator=(call_of_thread const&) = delete;
  ~call_of_thread();

private:
  bool is_counted_ = false;
};

} // namespace seam
