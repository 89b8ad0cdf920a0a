#include <seam/exchange/sparse/detail/byte_buffer.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {

void byte_buffer::grow(std::int64_t needed) {
  std::int64_t const capacity = std::max(needed, 3 * (capacity_ + 1) / 2);
  auto larger = std::make_unique_for_overwrite<std::byte[]>(capacity);
  if (size_ > 0)
    std::memcpy(larger.get(), data_.get(), size_);
  data_ = std::move(larger);
  capacity_ = capacity;
}

} // namespace seam::detail
