/// Wires: the memory in which the packed bytes of a schedule's steps lie.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>

namespace seam::detail {

/// The wires of a schedule in a staging buffer; both outlive it.
/// Threads: any, each step by one.
class wires {
public:
  /// @param staging  [steps.staging_bytes]
  wires(schedule const& steps, std::byte* staging) : steps_(steps), staging_(staging) {}

  /// The memory that a step's bytes are in when packed.
  std::byte* at(wire_span const& wire) const noexcept {
    return wire.direct != nullptr ? wire.direct : staging_ + wire.offset;
  }

  /// Packs the sources of send step `step`, unless they lie on their wire.
  void pack(int step) const {
    send_step const& sent = steps_.sends[step];
    if (sent.wire.direct == nullptr)
      pack_at(sent, staging_ + sent.wire.offset);
  }

  /// Packs the sources of `sent` at `wire`. [sent.wire.bytes]
  void pack_at(send_step const& sent, std::byte* wire) const;

  /// Packs the sources of `sent` at `wire` piece by piece. Calls tell(bytes packed so far) after
  /// each piece.
  template <class Tell>
  void pack_in_pieces(send_step const& sent, std::byte* wire, Tell tell) const {
    std::int64_t done = 0;
    for (block const& source : steps_.sources_of(sent.sources))
      for (std::int64_t at = 0; at < source.bytes();) {
        std::int64_t const bytes = pack_piece(source, at, wire + done);
        at += bytes;
        done += bytes;
        tell(done);
      }
  }

  /// Unpacks the wire of receive step `step` into its targets, unless they are the wire.
  void unpack(int step) const {
    receive_step const& received = steps_.receives[step];
    if (received.wire.direct == nullptr)
      unpack_from(staging_ + received.wire.offset, received);
  }

  /// Puts the bytes at `wire` into the targets of `received`.
  void unpack_from(std::byte const* wire, receive_step const& received) const;

  /// Puts the bytes at `from` into the targets of `received`, or on its wire if it has none.
  void put(std::byte const* from, receive_step const& received) const;

  /// Like put() for the first `packed` bytes of a message at `from`; `done` of them have been put
  /// before. Returns how many have been put now: targets that are not the wire get nothing
  /// before the message is there as a whole.
  std::int64_t follow(std::byte const* from, receive_step const& received, std::int64_t packed,
                      std::int64_t done) const;

  schedule const& steps() const noexcept { return steps_; }

private:
  /// Packs a part of `source` from its byte `at` on. Returns its length.
  static std::int64_t pack_piece(block const& source, std::int64_t at, std::byte* to);

  schedule const& steps_;
  std::byte* staging_;
};

} // namespace seam::detail
