/// The counts of a v-collective, kept as long as its operation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace seam::detail {

/// A copy of the counts that a call was given. A few lie in the object itself, so that a call that
/// is made again and again allocates nothing; copies share the memory of more.
class kept_counts {
public:
  kept_counts() = default;
  explicit kept_counts(std::span<int const> given) : size_(std::ssize(given)) {
    if (size_ > std::ssize(few_))
      many_ = memory_for(size_);
    std::ranges::copy(given, many_ ? many_.get() : few_.data());
  }

  std::span<int const> span() const noexcept {
    return std::span<int const>(many_ ? many_.get() : few_.data(), size_);
  }

private:
  /// Makes one allocation, or two if the standard library is older than that of GCC 12.
  static std::shared_ptr<int[]> memory_for(std::ptrdiff_t count) {
#ifdef __cpp_lib_smart_ptr_for_overwrite
    return std::make_shared_for_overwrite<int[]>(count);
#else
    return std::shared_ptr<int[]>(new int[count]);
#endif
  }

  std::array<int, 12> few_{};     ///< enough for the faces of cubes, by twos
  std::shared_ptr<int[]> many_{}; ///< all counts, if they do not fit into `few_`
  std::ptrdiff_t size_ = 0;
};

} // namespace seam::detail
