#include <seam/exchange/planning/detail/kept_counts.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// Makes one allocation, or two if the standard library is older than that of GCC 12.
std::shared_ptr<int[]> memory_for(std::ptrdiff_t count) {
#ifdef __cpp_lib_smart_ptr_for_overwrite
  return std::make_shared_for_overwrite<int[]>(count);
#else
  return std::shared_ptr<int[]>(new int[count]);
#endif
}

} // namespace

kept_counts::kept_counts(std::span<int const> given) : size_(std::ssize(given)) {
  if (size_ > std::ssize(few_))
    many_ = memory_for(size_);
  std::ranges::copy(given, many_ ? many_.get() : few_.data());
}

std::span<int const> kept_counts::span() const noexcept {
  return {many_ ? many_.get() : few_.data(), static_cast<std::size_t>(size_)};
}

} // namespace seam::detail
