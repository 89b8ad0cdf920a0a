/// Loops of threads that Kokkos does not know.
///
/// Kokkos' loops run on the threads of the one that has started it. A thread that is an endpoint
/// has threads of its own: it carries out its loops by itself, or with a team of OpenMP.
#pragma once

#include <cstdint>

namespace seam::detail {

/// The number of threads for loops of the calling thread; 0: Kokkos runs these loops.
constinit inline thread_local int num_own_loop_threads = 0;

/// Calls visit(k) for each k below `count`, in any order, on the calling thread's own threads.
/// Returns when all are done.
template <class Visit>
void loop_on_own_threads(std::int64_t count, Visit const& visit) {
#ifdef _OPENMP
  if (int const team = num_own_loop_threads; team > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
    for (std::int64_t k = 0; k < count; ++k)
      visit(k);
    return;
  }
#endif
  for (std::int64_t k = 0; k < count; ++k)
    visit(k);
}

} // namespace seam::detail
