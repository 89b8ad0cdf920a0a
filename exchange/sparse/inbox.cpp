#include <seam/exchange/sparse/inbox.hpp>

#include <algorithm>

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

} // namespace seam::detail
