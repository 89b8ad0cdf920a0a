/// Courses: the order and times in which the partitions of an epoch become ready.
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

/// The work before partition `p` of `partitions` is ready.
/// @param all  work of an epoch
seconds work_for(course how, int p, int partitions, seconds all);

/// Does the work before partition `p` is ready, and writes each of its cache lines, as if the data
/// had just been computed. Without effect on ranks that do not send.
/// @param all  work of an epoch
void produce(route const& along, course how, int p, seconds all);

/// Calls act(p) for each partition, on all threads.
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
