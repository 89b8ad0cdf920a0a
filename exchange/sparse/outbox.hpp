/// Outbox: the messages that a process is about to send, one for each destination.
#pragma once

#include <seam/exchange/sparse/inbox.hpp>
#include <seam/exchange/sparse/parcel.hpp>

#include <vector>

namespace seam::detail {

/// Messages in the order of their destinations. Memory is kept from exchange to exchange.
class outbox {
public:
  /// The message to `rank`, which is created when first asked for. Good until the next is.
  outgoing_message& to(int rank);

  bool empty() const noexcept { return messages_.empty(); }

  bool has_message_to(int rank) const { return is_at(place_of(rank), rank); }

  /// The message to `rank`, which then is no longer here. What `memory` can spare takes its place.
  byte_buffer take(int rank, inbox& memory);

  /// All messages, by destination; good until one changes.
  std::span<parcel const> parcels();

  /// Forgets all messages.
  void clear();

private:
  std::size_t place_of(int rank) const;
  bool is_at(std::size_t place, int rank) const {
    return place < messages_.size() && messages_[place].destination() == rank;
  }

  std::vector<outgoing_message> messages_; ///< by destination
  std::size_t last_ = 0;                   ///< the message that was asked for last
  spare_buffers spares_;
  std::vector<parcel> parcels_;
};

} // namespace seam::detail
