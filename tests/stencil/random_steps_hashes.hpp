/// Numbers made of the results of random programs of steps on one rank, of a hundred programs each. The
/// test prints the new ones when results are to differ from now on.
#pragma once

#include <cstdint>

namespace seam::testing {

inline constexpr int programs_of_hash = 100;
inline constexpr std::uint64_t hashes_of_results[20] = {
    0x70f74defae968923, 0xa33ff5b1a090400f, 0x329f09abcf79974e, 0x508fcac94f98c337,
    0xf7f0b7c990bd2d33, 0x219b561968e611bb, 0x53da79043db05329, 0xc04aaa65663bf629,
    0x32088a58d0ca4e54, 0xaaf760ec18bfebbf, 0x374971f491583f80, 0x7469cf5523fc04af,
    0x370ceb1abcce3b6f, 0x8d0a9f4c999471e5, 0x5659c501028a2606, 0x16d329b33543ea6b,
    0xe2e05bdbc46be884, 0x85df0c7a4a4093f0, 0x53eb69f82e65107e, 0xdce6e6eebcbb47f7};

} // namespace seam::testing
