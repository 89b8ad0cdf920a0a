/// Numbers made of the results of random programs of steps on one rank, of a hundred programs each. The
/// test prints the new ones when results are to differ from now on.
#pragma once

#include <cstdint>

namespace seam::testing {

inline constexpr int programs_of_hash = 100;
inline constexpr std::uint64_t hashes_of_results[20] = {
    0xd8e350c75d2672fe, 0x6c6098b51b6bb728, 0x899312fb3ea200ef, 0xa834d6843bb7c602,
    0x2a588cd6c5c7952d, 0x751851f0e9d1e558, 0x77d36893e6d77e5e, 0xb5ff43734ea4526c,
    0xcd753fc854ea6828, 0x489ec999f6381c7b, 0xf1abb8272e24ad7b, 0xd04d778988490bd4,
    0x28101c8bbea27794, 0xf31302c1dfbff841, 0x843f58d08b23095b, 0xb0cb7c65aefc8cb6,
    0x8867cf7fdd5a33b9, 0xc31407e5eec13074, 0xe4d972564c672534, 0x9a091aea9cd3c632};

} // namespace seam::testing
