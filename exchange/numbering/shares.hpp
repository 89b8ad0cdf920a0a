/// Shares: items divided evenly over ranks, in their order; the first ranks get the remainder.
///
///     10 items, 4 shares:   0 1 2 | 3 4 5 | 6 7 | 8 9
#pragma once

#include <algorithm>
#include <cstdint>

namespace seam::detail {

/// The first item of share `number`.
constexpr std::int64_t begin_of_share(std::int64_t number, std::int64_t total,
                                      std::int64_t num_shares) {
  return total / num_shares * number + std::min(number, total % num_shares);
}

/// A share, and the number of the first item after it.
struct numbered_share {
  int number;
  std::int64_t end;
};

/// The share that holds item `number`, 0 to total - 1.
constexpr numbered_share share_with(std::int64_t number, std::int64_t total,
                                    std::int64_t num_shares) {
  std::int64_t const each = total / num_shares, more = total % num_shares;
  std::int64_t const in_larger = more * (each + 1);
  std::int64_t const share =
      number < in_larger ? number / (each + 1) : more + (number - in_larger) / each;
  return {static_cast<int>(share), begin_of_share(share + 1, total, num_shares)};
}

} // namespace seam::detail
