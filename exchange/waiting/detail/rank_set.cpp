#include <seam/exchange/waiting/detail/rank_set.hpp>

namespace seam::detail {

rank_set rank_set::first(int size) {
  rank_set all;
  all.size_ = size;
  all.step_ = size > 1 ? 1 : 0;
  return all;
}

rank_set::rank_set(std::span<int const> ascending) : size_(static_cast<int>(ascending.size())) {
  if (ascending.empty())
    return;
  first_ = ascending[0];
  step_ = size_ > 1 ? ascending[1] - first_ : 0;
  for (int k = 0; k < size_; ++k)
    if (ascending[k] != first_ + k * step_) {
      first_ = step_ = 0;
      listed_.assign(ascending.begin(), ascending.end());
      return;
    }
}

} // namespace seam::detail
