/// Numbers by which the environment makes tests longer.
#pragma once

#include <cstdlib>

namespace seam::testing {

/// The number that the environment gives `name`, or `otherwise`.
inline int number_in_environment(char const* name, int otherwise) {
  char const* const given = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
  return given == nullptr ? otherwise : std::atoi(given);
}

} // namespace seam::testing
