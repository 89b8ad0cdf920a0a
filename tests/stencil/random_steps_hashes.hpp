/// Numbers made of the results of random programs of steps, of a hundred programs each. Where results are
/// to be others from now on, the test prints the new ones.
#pragma once

#include <cstdint>

namespace seam::testing {

inline constexpr int programs_of_hash = 100;
inline constexpr std::uint64_t hashes_of_results[20] = {};

} // namespace seam::testing
