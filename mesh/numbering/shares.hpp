/// Shares: a row of things divided over ranks, in their order and evenly, the first ranks getting
/// the remainder.
#pragma once

#include <algorithm>
#include <cstdint>

namespace seam::detail {

/// Where share `number` begins.
constexpr std::int64_t begin_of_share(std::int64_t number, std::int64_t total,
                                      std::int64_t num_shares) {
  return total / num_shares * number + std::min(number, total % num_shares);
}

/// A share, and where it ends.
struct numbered_share {
  int number;
  std::int64_t end;
};

/// The share that holds thing `number`, 0 to total - 1.
constexpr numbered_share share_with(std::int64_t number, std::int64_t total,
                                    std::int64_t num_shares) {
  std::int64_t const each = total / num_shares, more = total % num_shares;
  std::int64_t const in_larger = more * (each + 1);
  std::int64_t const share =
      number < in_larger ? number / (each + 1) : more + (number - in_larger) / each;
  return {static_cast<int>(share), begin_of_share(share + 1, total, num_shares)};
}

} // namespace seam::detail
