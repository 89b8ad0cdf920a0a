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

byte_buffer spare_buffers::take_for(std::int64_t count) {
  auto const fits_worse = [count](byte_buffer const& a, byte_buffer const& b) {
    bool const a_fits = a.capacity() >= count;
    if (a_fits != (b.capacity() >= count))
      return !a_fits;
    return a_fits ? a.capacity() > b.capacity() : a.capacity() < b.capacity();
  };
  auto const best = std::ranges::max_element(kept_, fits_worse);
  if (best != kept_.end())
    std::swap(*best, kept_.back());
  return take_last();
}

} // namespace seam::detail
