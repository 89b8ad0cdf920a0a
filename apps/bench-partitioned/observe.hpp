/// What is seen in epochs besides how long they take.
#pragma once

#include "course.hpp"
#include "way.hpp"

#include <string>

namespace partitioned_bench {

/// Medians over epochs, the same on all ranks. Where partitions only leave, or only arrive, the
/// rank at the other end is asked.
struct observation {
  double bandwidth = 0;      ///< perceived: all bytes over the time from the last partition's being
                             ///< ready to the arrival of all [bytes/s]
  double availability = 0;   ///< of the sender: its time outside communication calls, of all [1]
  double early_fraction = 0; ///< bytes that have arrived when the last partition is ready [1]
};

/// Watches `by` in `epochs` epochs that the sender works `work` in. Clocks of ranks are compared,
/// which have to be those of one machine.
/// Collective: over the route's communicator.
observation observe(way& by, route const& along, course how, seconds work, int epochs);

} // namespace partitioned_bench
