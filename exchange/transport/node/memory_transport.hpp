/// The base of the transports through the memory of a node: it looks for messages that have
/// arrived, and for sources that may be written again.
#pragma once

#include <seam/exchange/transport/node/link.hpp>
#include <seam/exchange/transport/node/looks.hpp>
#include <seam/exchange/transport/transport.hpp>
#include <seam/exchange/transport/wires.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace seam::detail {

/// Base of a transport `Self`, which has
///
///     bool take(int receive_step);    // takes its message as far as it is there; true if it is
///                                     // whole
///     bool has_left(int k);           // true if the k-th of num_leaving messages, or peers, need
///                                     // not be waited for
///     void has_looked_in_vain();      // is called after each look without a result
///
/// Threads: as transport.
template <class Self>
class memory_transport : public transport {
public:
  void expect(int first, int last) override {
    for (int step = first; step < last; ++step) {
      expected_[num_expected_++] = step;
      read_[step] = 0;
    }
  }

  std::span<int const> arrivals() override {
    int count = 0;
    for (int e = 0; e < num_expected_;)
      if (self().take(expected_[e])) {
        arrived_[count++] = expected_[e];
        expected_[e] = expected_[--num_expected_];
      } else {
        ++e;
      }
    if (count == 0)
      has_waited();
    return std::span(arrived_).first(count);
  }

  bool all_sent() override {
    while (num_unsent_ > 0 && self().has_left(num_unsent_ - 1))
      --num_unsent_;
    if (num_unsent_ > 0)
      has_waited();
    return num_unsent_ == 0;
  }

  /// Messages that the peers have sent may stay without a receive.
  void give_up() noexcept override { mpi::keep_for_ever(context_); }

protected:
  /// @param context  lets the MPI library make progress during long waits
  memory_transport(mpi::comm_view context, schedule const& steps, std::byte* staging)
      : context_(context),
        wires_(steps, staging),
        read_(steps.receives.size()),
        expected_(steps.receives.size()),
        arrived_(steps.receives.size()) {}

  /// Begins a start in which `num_leaving` messages, or messages to so many peers, leave.
  void start_looking(int num_leaving) {
    num_expected_ = 0;
    num_unsent_ = num_leaving;
    looks_.clear();
  }

  /// Expects receive step `r` of this start no longer; false if it is not expected.
  bool forget(int r) {
    auto const expected = std::span(expected_).first(num_expected_);
    auto const found = std::ranges::find(expected, r);
    if (found == expected.end())
      return false;
    *found = expected_[--num_expected_];
    return true;
  }

  /// Packs the sources of send step `s` into a slot, and tells its receiver through `end` how many
  /// bytes there are in the slot; the first `before` of them precede the message.
  void pack_in_slot(int s, sending_link const& end, std::uint64_t epoch,
                    std::int64_t before = 0) const {
    wires_.pack_in_pieces(wires_.steps().sends[s], end.slot_in(epoch) + before,
                          [&](std::int64_t done) { end.show_packed(epoch, before + done); });
  }

  /// Writes the sources of send step `s` to `lines` with the mark `word`.
  void write(int s, line* lines, std::uint64_t word) const {
    wires_.pack(s);
    wire_span const& wire = wires_.steps().sends[s].wire;
    write_lines(wires_.at(wire), wire.bytes, lines, word);
  }

  /// Takes the message of receive step `r` from `lines` with the mark `word`; false if a part of it
  /// is not there yet.
  bool read(int r, line const* lines, std::uint64_t word) {
    wire_span const& wire = wires_.steps().receives[r].wire;
    read_[r] = read_lines(lines, read_[r], wires_.at(wire), wire.bytes, word);
    if (read_[r] < lines_of(wire.bytes))
      return false;
    wires_.unpack(r);
    return true;
  }

  /// Takes the message of receive step `r` from a slot, `here` bytes of which are there; false if
  /// the rest is not there yet.
  bool follow(int r, std::byte const* slot, std::int64_t here) {
    receive_step const& step = wires_.steps().receives[r];
    read_[r] = wires_.follow(slot, step, here, read_[r]);
    return read_[r] == step.wire.bytes;
  }

  mpi::comm_view context_;
  wires wires_;
  std::vector<std::int64_t> read_; ///< [receive steps] lines, or bytes, that have been read
  vain_looks looks_;               ///< of this start

private:
  Self& self() { return static_cast<Self&>(*this); }

  void has_waited() {
    looks_.add(context_);
    self().has_looked_in_vain();
  }

  std::vector<int> expected_; ///< receive steps of this and earlier rounds, not taken yet
  std::vector<int> arrived_;  ///< memory of the result of arrivals()
  int num_expected_ = 0, num_unsent_ = 0;
};

} // namespace seam::detail
