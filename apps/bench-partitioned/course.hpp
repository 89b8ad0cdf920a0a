/// Courses: how the partitions of an epoch become ready.
#pragma once

#include "way.hpp"

#include <Kokkos_Core.hpp>

#include <chrono>
#include <string_view>

namespace partitioned_bench {

using seconds = std::chrono::duration<double>;

enum class course {
  together, ///< all at once
  uniform,  ///< each after as much work as the others
  laggard   ///< all but the last at once, and the last after all of the work
};

std::string_view name_of(course how);

/// Work before partition `p` of `partitions` is ready, if `all` is to be done in an epoch.
seconds work_for(course how, int p, int partitions, seconds all);

/// Does the work before partition `p` is ready, of `all` in an epoch, and writes each of its cache
/// lines anew: what is sent has just been computed. Does nothing where nothing leaves.
void produce(route const& along, course how, int p, seconds all);

/// Calls act(p) for each partition, on as many threads as there are.
template <class Act>
void on_all_threads(int partitions, Act const& act) {
  using threads = Kokkos::DefaultHostExecutionSpace;
  if (threads().concurrency() == 1)
    for (int p = 0; p < partitions; ++p)
      act(p);
  else
    Kokkos::parallel_for("partitions",
                         Kokkos::RangePolicy<threads, Kokkos::Schedule<Kokkos::Dynamic>>(
                             0, partitions, Kokkos::ChunkSize(1)),
                         [&act](int p) { act(p); });
}

} // namespace partitioned_bench
