#include <seam/exchange/sparse/outbox.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {

std::ptrdiff_t outbox::place_of(int rank) const {
  auto const found = std::ranges::lower_bound(messages_, rank, {}, &outgoing_message::destination);
  return found - messages_.begin();
}

outgoing_message& outbox::to(int rank) {
  if (is_at(last_, rank))
    return messages_[last_];
  last_ = place_of(rank);
  if (!is_at(last_, rank))
    messages_.emplace(messages_.begin() + last_, rank, spares_.take_last());
  return messages_[last_];
}

byte_buffer outbox::take(int rank, inbox& memory) {
  auto const taken = messages_.begin() + place_of(rank);
  spares_.keep(memory.spare_for(std::ssize(taken->bytes())));
  byte_buffer bytes = std::move(*taken).release();
  messages_.erase(taken);
  return bytes;
}

std::span<parcel const> outbox::parcels() {
  parcels_.clear();
  for (outgoing_message const& message : messages_)
    parcels_.push_back({message.destination(), message.bytes()});
  return parcels_;
}

void outbox::clear() {
  // From the last to the first: messages packed in the same order get the same memory again.
  for (; !messages_.empty(); messages_.pop_back())
    spares_.keep(std::move(messages_.back()).release());
}

} // namespace seam::detail
