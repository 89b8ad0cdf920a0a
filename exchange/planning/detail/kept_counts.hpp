/// The counts of a v-collective, kept as long as its operation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

namespace seam::detail {

/// A copy of the counts that a call was given. Copies of a kept_counts share its memory.
class kept_counts {
public:
  kept_counts() = default;
  explicit kept_counts(std::span<int const> given)
      : numbers_(memory_for(given.size())), size_(given.size()) {
    std::ranges::copy(given, numbers_.get());
  }

  std::span<int const> span() const noexcept { return {numbers_.get(), size_}; }

private:
  /// Makes one allocation, or two if the standard library is older than that of GCC 12.
  static std::shared_ptr<int[]> memory_for(std::size_t count) {
#ifdef __cpp_lib_smart_ptr_for_overwrite
    return std::make_shared_for_overwrite<int[]>(count);
#else
    return std::shared_ptr<int[]>(new int[count]);
#endif
  }

  std::shared_ptr<int[]> numbers_;
  std::size_t size_ = 0;
};

} // namespace seam::detail
