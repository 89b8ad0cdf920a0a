/// Inbox: the messages that a process has received in an exchange, and the position of unpacking.
#pragma once

#include <seam/exchange/sparse/detail/byte_buffer.hpp>
#include <seam/exchange/sparse/message.hpp>

#include <vector>

namespace seam::detail {

/// Spare buffers: the memory of finished messages, kept for messages of the next exchange.
class spare_buffers {
public:
  /// Keeps the memory of `buffer`, not its bytes.
  void keep(byte_buffer buffer);

  /// The buffer that was kept last; a new one if there is none.
  byte_buffer take_last();

  /// The smallest buffer that holds `count` bytes without growing, the largest if none does. So
  /// repeated messages find memory in any order of arrival.
  byte_buffer take_for(std::int64_t count);

private:
  std::vector<byte_buffer> kept_;
};

/// Messages in the order of arrival, or by sender once sorted. Later exchanges reuse the memory.
class inbox {
public:
  /// Adds a message of `count` bytes, and returns its memory, to be written by the caller.
  std::span<std::byte> add(int source, std::int64_t count);

  /// Adds a message that takes over its memory.
  void add(int source, byte_buffer bytes) { messages_.emplace_back(source, std::move(bytes)); }

  /// Unused memory, if possible for `count` bytes.
  byte_buffer spare_for(std::int64_t count) { return spares_.take_for(count); }

  /// All messages, in their order.
  std::span<incoming_message const> messages() const noexcept { return messages_; }

  /// Sorts the messages by sender.
  void sort_by_source();

  /// Advances to the next message, at first to the first; false and clear() if there is none.
  bool next();

  /// The message that is being unpacked, or nullptr before the first and after the last.
  incoming_message* current() noexcept {
    return num_begun_ == 0 ? nullptr : &messages_[num_begun_ - 1];
  }

  /// Forgets all messages.
  void clear();

private:
  std::vector<incoming_message> messages_;
  std::ptrdiff_t num_begun_ = 0;
  spare_buffers spares_;
};

} // namespace seam::detail
