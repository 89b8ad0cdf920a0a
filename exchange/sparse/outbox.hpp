/// Outbox: the messages that a process will send, one for each destination.
#pragma once

#include <seam/exchange/sparse/inbox.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace seam::detail {

/// A message as the algorithms of sparse exchange see it.
struct parcel {
  int to; ///< rank
  std::span<std::byte const> bytes;
};

/// Messages in the order of their destinations. Later exchanges reuse the memory.
class outbox {
public:
  /// The message to `rank`, made by the first call. The reference is valid until the next call.
  outgoing_message& to(int rank);

  bool empty() const noexcept { return messages_.empty(); }

  bool has_message_to(int rank) const { return is_at(place_of(rank), rank); }

  /// Removes the message to `rank`, and returns its bytes; keeps a spare buffer of `memory`.
  byte_buffer take(int rank, inbox& memory);

  /// All messages, by destination; valid until one changes.
  std::span<parcel const> parcels();

  /// Forgets all messages.
  void clear();

private:
  std::ptrdiff_t place_of(int rank) const;
  bool is_at(std::ptrdiff_t place, int rank) const {
    return place < std::ssize(messages_) && messages_[place].destination() == rank;
  }

  std::vector<outgoing_message> messages_; ///< by destination
  std::ptrdiff_t last_ = 0;                ///< place of the message of the last to()
  spare_buffers spares_;
  std::vector<parcel> parcels_;
};

} // namespace seam::detail
