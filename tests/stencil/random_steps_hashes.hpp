/// Numbers made of the results of random programs of steps on one rank, of a hundred programs each. The
/// test prints the new ones when results are to differ from now on.
#pragma once

#include <cstdint>

namespace seam::testing {

inline constexpr int programs_of_hash = 100;
inline constexpr std::uint64_t hashes_of_results[20] = {
    0x568631fa1f8da0dc, 0x4260d885282272e5, 0x3e9689b1cb0f7db4, 0x19fa2fd9853f778b,
    0x410d1d9c8587a6ca, 0x226bad68ab42093f, 0xe3576f667841050b, 0xe3ced017e8700e4f,
    0xc9625e36942c7a09, 0xdffaa721ab4f82e2, 0xb9729601cc87e2c6, 0x7f82c0737e7174b1,
    0x59a699cc04de7402, 0x84b7804bc1dd072d, 0x3f426713438f1291, 0xb71f9873a86e4561,
    0x16d1f1cd6271fd40, 0xb6feaad0b3e630fa, 0x2c279eb1f9749b43, 0x8ba72a6587bf40cb};

} // namespace seam::testing
