/// Numbers made of the results of random programs of steps on one rank, of a hundred programs each. The
/// test prints the new ones when results are to differ from now on.
#pragma once

#include <cstdint>

namespace seam::testing {

inline constexpr int programs_of_hash = 100;
inline constexpr std::uint64_t hashes_of_results[20] = {
    0xf083e894f225196d, 0x5b2ac15e9b946e3d, 0x05bacb8fae155476, 0x7176995460725147,
    0x88e192c9588a6b04, 0x2184bc9df4510d71, 0x0d45b02f7224f8d3, 0x8b42f75ee50b6f39,
    0xf448d5ec9a5482e7, 0x7ac034a7052fccea, 0xf4af0bd3a37aeaa4, 0x5c1f50db297b3b10,
    0x6d867b29a37e758e, 0x25724eddf288c33c, 0x8bf0bba00392c8f0, 0xd896f86f8dd07c75,
    0x85df4311b5ee5c9a, 0x43453f12afe7d04b, 0x089e2238e20d1405, 0x33fb9a8bda09d2d7};

} // namespace seam::testing
