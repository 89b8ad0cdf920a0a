/// Records: several messages that travel in one, with other processes in between.
///
///     envelope: | head | bytes ... | head | bytes ... |
#pragma once

#include <seam/exchange/sparse/inbox.hpp>

#include <cstdint>

namespace seam::detail {

/// The head of a record, which precedes its bytes.
struct record_head {
  int from, to; ///< ranks
  std::int64_t bytes;
};

inline void append_record(outgoing_message& envelope, record_head const& head,
                          std::span<std::byte const> bytes) {
  envelope.pack(head);
  envelope.pack_bytes(bytes);
}
inline void append_record(byte_buffer& envelope, record_head const& head,
                          std::span<std::byte const> bytes) {
  envelope.append(std::as_bytes(std::span(&head, 1)));
  envelope.append(bytes);
}

/// Calls visit(head, bytes) for each record in `envelope`.
template <class Visit>
void for_each_record(std::span<std::byte const> envelope, Visit visit) {
  while (!envelope.empty()) {
    record_head head;
    std::memcpy(&head, envelope.data(), sizeof head);
    visit(head, envelope.subspan(sizeof head, head.bytes));
    envelope = envelope.subspan(sizeof head + head.bytes);
  }
}

/// Calls visit(head, bytes) for each record in all messages of `envelopes`.
template <class Visit>
void for_each_record(inbox const& envelopes, Visit visit) {
  for (incoming_message const& envelope : envelopes.messages())
    for_each_record(envelope.bytes(), visit);
}

} // namespace seam::detail
