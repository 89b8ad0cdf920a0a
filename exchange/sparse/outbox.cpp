#include <seam/exchange/sparse/outbox.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {

std::size_t outbox::place_of(int rank) const {
  auto const found = std::ranges::lower_bound(messages_, rank, {}, &outgoing_message::destination);
  return static_cast<std::size_t>(found - messages_.begin());
}

byte_buffer outbox::spare() {
  if (spares_.empty())
    return {};
  byte_buffer last = std::move(spares_.back());
  spares_.pop_back();
  return last;
}

outgoing_message& outbox::to(int rank) {
  if (is_at(last_, rank))
    return messages_[last_];
  last_ = place_of(rank);
  if (!is_at(last_, rank))
    messages_.emplace(messages_.begin() + static_cast<std::ptrdiff_t>(last_), rank, spare());
  return messages_[last_];
}

byte_buffer outbox::take(int rank, byte_buffer instead) {
  auto const taken = messages_.begin() + static_cast<std::ptrdiff_t>(place_of(rank));
  byte_buffer bytes = std::move(*taken).release();
  messages_.erase(taken);
  spares_.push_back(std::move(instead));
  return bytes;
}

std::span<parcel const> outbox::parcels() {
  parcels_.clear();
  for (outgoing_message const& one : messages_)
    parcels_.push_back({one.destination(), one.bytes()});
  return parcels_;
}

void outbox::clear() {
  // From the last to the first: whoever packs in the same order again gets the same memory.
  for (; !messages_.empty(); messages_.pop_back()) {
    spares_.push_back(std::move(messages_.back()).release());
    spares_.back().clear();
  }
}

} // namespace seam::detail
