/// Makes MPI report a lower thread level than it grants. To be included by one source of a test
/// program.
#pragma once

#include <mpi.h>

#include <atomic>

namespace seam::testing {

/// The answer of MPI_Query_thread; -1: the true one.
inline std::atomic<int> thread_level_pretended = -1;

/// MPI_Query_thread answers `level` while this lives. Local, one at a time.
class pretended_thread_level {
public:
  explicit pretended_thread_level(int level) { thread_level_pretended = level; }
  ~pretended_thread_level() { thread_level_pretended = -1; }
  pretended_thread_level(pretended_thread_level const&) = delete;
  pretended_thread_level& operator=(pretended_thread_level const&) = delete;
};

} // namespace seam::testing

extern "C" int MPI_Query_thread(int* provided) {
  int const pretended = seam::testing::thread_level_pretended;
  if (pretended < 0)
    return PMPI_Query_thread(provided);
  *provided = pretended;
  return MPI_SUCCESS;
}
