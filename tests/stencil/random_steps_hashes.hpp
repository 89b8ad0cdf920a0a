/// Numbers made of the results of random programs of steps on one rank, of a hundred programs each. The
/// test prints the new ones when results are to differ from now on.
#pragma once

#include <cstdint>

namespace seam::testing {

inline constexpr int programs_of_hash = 100;
inline constexpr std::uint64_t hashes_of_results[20] = {
    0x34102a9c25561987, 0xd713b79d4c875505, 0x6d2f844272d4c310, 0x452778221e179ebb,
    0x952f6f6fe59cc9b5, 0x38b54b366dc1bac6, 0xa209d040bd8de708, 0x567e4adbc4d3b9ff,
    0x981421282a9f1632, 0xd8d83ea9d7c68d63, 0xadeec530fb89e874, 0x3d961eea092587d5,
    0x38b6970331d50105, 0x856ba67bee47ecff, 0x57528723a386ec21, 0x0a34fa871486c1b9,
    0xd7aeb463b58df317, 0xa53c794bcec83262, 0x9ce74ed766ad49ef, 0x7a30520beb299211};

} // namespace seam::testing
