/// Numbers made of the results of random programs of steps on one rank, of a hundred programs each. The
/// test prints the new ones when results are to differ from now on.
#pragma once

#include <cstdint>

namespace seam::testing {

inline constexpr int programs_of_hash = 100;
inline constexpr std::uint64_t hashes_of_results[20] = {
    0x902549603d3bb37d, 0xfcf282cc718c2fa9, 0x7fcb491043a0d317, 0x69e43c2cee21f47d,
    0x5f3cb78e14614179, 0x2122889d6b52aa07, 0x6e7c8bc731157a75, 0x80558491bb3e0e31,
    0xfeff8eef85b831e9, 0x33d78d9747ecbdf8, 0x934956b8d74a0949, 0x8a47788d30ffbd32,
    0x3f1a478574dcb7c9, 0xe0726c3c3cff16ff, 0xeff73b063b42ce11, 0x66afbac5cfdbd0c8,
    0xfbcdc05ba80ac624, 0xbb16506a3e13a17c, 0x5ebbece96c6fe4de, 0x1c686827d2fe744c};

} // namespace seam::testing
