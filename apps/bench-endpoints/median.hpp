// The median of a benchmark's times.
#pragma once

#include <algorithm>
#include <vector>

namespace bench {

// Local. At least one time.
inline double median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + std::ssize(times) / 2);
  return times[times.size() / 2];
}

} // namespace bench
