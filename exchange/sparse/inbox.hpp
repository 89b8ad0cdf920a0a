/// Inbox: the messages that a process has received in an exchange, and which of them is being
/// unpacked.
#pragma once

#include <seam/exchange/sparse/message.hpp>
#include <seam/exchange/sparse/spare_buffers.hpp>

#include <vector>

namespace seam::detail {

/// Messages in the order of arrival, or by sender once they are sorted. Memory is kept from
/// exchange to exchange.
class inbox {
public:
  /// A new message of `count` bytes, to be written there by whoever receives it.
  std::span<std::byte> add(int source, std::int64_t count);

  /// A new message that takes its memory over.
  void add(int source, byte_buffer bytes) { messages_.emplace_back(source, std::move(bytes)); }

  /// Memory that is not in use, at best for `count` bytes.
  byte_buffer spare_for(std::size_t count) { return spares_.take_for(count); }

  /// All messages, in their order.
  std::span<incoming_message const> messages() const noexcept { return messages_; }

  void sort_by_source();

  /// Goes on to the next message, at first to the first; false if there is none, and forgets all.
  bool next();

  /// The message that is being unpacked, or nullptr before the first and after the last.
  incoming_message* current() noexcept {
    return num_begun_ == 0 ? nullptr : &messages_[num_begun_ - 1];
  }

  /// Forgets all messages.
  void clear();

private:
  std::vector<incoming_message> messages_;
  std::size_t num_begun_ = 0;
  spare_buffers spares_;
};

} // namespace seam::detail
