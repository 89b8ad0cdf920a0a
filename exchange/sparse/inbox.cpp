#include <seam/exchange/sparse/inbox.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {

std::span<std::byte> inbox::add(int source, std::int64_t count) {
  byte_buffer memory = spare_for(count);
  auto const added = memory.extend(count);
  add(source, std::move(memory));
  return added;
}

void inbox::sort_by_source() {
  if (!std::ranges::is_sorted(messages_, {}, &incoming_message::source))
    std::ranges::sort(messages_, {}, &incoming_message::source);
}

bool inbox::next() {
  if (num_begun_ == std::ssize(messages_)) {
    clear();
    return false;
  }
  ++num_begun_;
  return true;
}

void inbox::clear() {
  for (; !messages_.empty(); messages_.pop_back())
    spares_.keep(std::move(messages_.back()).release());
  num_begun_ = 0;
}

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
