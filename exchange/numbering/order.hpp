/// Orders: sorted positions of array elements, and elements with equal keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace seam::detail {

/// The positions 0 to count - 1 by ascending key_of(position), stably.
template <class KeyOf>
std::vector<std::int64_t> order_by(std::int64_t count, KeyOf key_of) {
  std::vector<std::int64_t> order(count);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  if (!std::ranges::is_sorted(order, {}, key_of))
    std::ranges::stable_sort(order, {}, key_of);
  return order;
}

/// Sorts `values` and keeps each once.
template <class T>
void keep_distinct(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// The range of `values`, which ascend by `key_of`, whose key is `key`.
template <class T, class Key, class KeyOf = std::identity>
std::span<T const> those_with(Key const& key, std::span<T const> values, KeyOf key_of = {}) {
  return {std::ranges::lower_bound(values, key, {}, key_of),
          std::ranges::upper_bound(values, key, {}, key_of)};
}

} // namespace seam::detail
