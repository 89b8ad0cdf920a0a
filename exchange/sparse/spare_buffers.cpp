#include <seam/exchange/sparse/spare_buffers.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {

void spare_buffers::keep(byte_buffer buffer) {
  buffer.clear();
  kept_.push_back(std::move(buffer));
}

byte_buffer spare_buffers::take_last() {
  if (kept_.empty())
    return {};
  byte_buffer last = std::move(kept_.back());
  kept_.pop_back();
  return last;
}

byte_buffer spare_buffers::take_for(std::size_t count) {
  auto const fits_worse = [count](byte_buffer const& one, byte_buffer const& other) {
    bool const one_holds = one.capacity() >= count;
    if (one_holds != (other.capacity() >= count))
      return !one_holds;
    return one_holds ? one.capacity() > other.capacity() : one.capacity() < other.capacity();
  };
  auto const best = std::ranges::max_element(kept_, fits_worse);
  if (best != kept_.end())
    std::swap(*best, kept_.back());
  return take_last();
}

} // namespace seam::detail
