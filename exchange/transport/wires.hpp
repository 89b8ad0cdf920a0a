/// Wires: where the bytes of a schedule's steps lie while they are packed.
#pragma once

#include <seam/exchange/schedule.hpp>

namespace seam {

/// The wires of a schedule in a staging buffer; both outlive it. Threads: any, each step by one.
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
    send_step const& what = steps_.sends[static_cast<std::size_t>(step)];
    if (what.wire.direct == nullptr)
      pack_at(what, staging_ + what.wire.offset);
  }

  /// Packs the sources of `what` at `wire`. [what.wire.bytes]
  void pack_at(send_step const& what, std::byte* wire) const;

  /// Puts what lies on the wire of receive step `step` into its targets, unless they are the wire.
  void unpack(int step) const {
    receive_step const& what = steps_.receives[static_cast<std::size_t>(step)];
    if (what.wire.direct == nullptr)
      unpack_from(staging_ + what.wire.offset, what);
  }

  /// Puts the bytes at `wire` into the targets of `what`.
  void unpack_from(std::byte const* wire, receive_step const& what) const;

  schedule const& steps() const noexcept { return steps_; }

private:
  schedule const& steps_;
  std::byte* staging_;
};

} // namespace seam
