/// The counts of a call, kept as long as its operation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

namespace seam {

/// Numbers of elements that a call was given, in one piece of memory that copies of it share.
class kept_counts {
public:
  kept_counts() = default;
  explicit kept_counts(std::span<int const> given)
      : numbers_(memory_for(given.size())), size_(given.size()) {
    std::ranges::copy(given, numbers_.get());
  }

  std::span<int const> span() const noexcept { return {numbers_.get(), size_}; }

private:
  /// In one allocation, or in two where the library is older than that of GCC 12.
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

} // namespace seam
