/// Courses: the order and times in which the partitions of an epoch become ready; and observations of
/// epochs besides their time.
#pragma once

#include "way.hpp"

#include <Kokkos_Core.hpp>
#include <array>
#include <chrono>

namespace partitioned_bench {

using seconds = std::chrono::duration<double>;

enum class course {
  together, ///< all at once
  laggard   ///< all but the last at once, and the last after all of the work
};

inline constexpr std::array names_of_courses{"together", "laggard"};

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

/// Medians over epochs, the same on all ranks. A rank that only sends, or only receives, gets the
/// values of the rank at the other end.
struct observation {
  double bandwidth = 0;      ///< perceived: all bytes over the time between the last partition's
                             ///< being ready and the arrival of all [bytes/s]
  double early_fraction = 0; ///< fraction of bytes that arrive before the last is ready [1]
};

/// Observes `by` in `epochs` epochs with `work` on the sender. It compares the clocks of ranks,
/// which must be of one machine. Collective: over the route's communicator.
observation observe(way& by, route const& along, course how, seconds work, int epochs);

} // namespace partitioned_bench
