#include <seam/mesh/detail/rendezvous.hpp>

namespace seam::detail {

std::vector<std::size_t> order_by_rank(std::span<int const> ranks) {
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!std::ranges::is_sorted(ranks))
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranks[i]; });
  return order;
}

} // namespace seam::detail
