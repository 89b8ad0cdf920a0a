/// Observations of epochs besides their time.
#pragma once

#include "course.hpp"
#include "way.hpp"

#include <string>

namespace partitioned_bench {

/// Medians over epochs, the same on all ranks. A rank that only sends, or only receives, gets the
/// values of the rank at the other end.
struct observation {
  double bandwidth = 0;      ///< perceived: all bytes over the time between the last partition's
                             ///< being ready and the arrival of all [bytes/s]
  double availability = 0;   ///< fraction of the sender's time outside communication calls [1]
  double early_fraction = 0; ///< fraction of bytes that arrive before the last is ready [1]
};

/// Observes `by` in `epochs` epochs with `work` on the sender. It compares the clocks of ranks,
/// which must be of one machine. Collective: over the route's communicator.
observation observe(way& by, route const& along, course how, seconds work, int epochs);

} // namespace partitioned_bench
