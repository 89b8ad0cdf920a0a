/// Transports move the wires of a schedule's steps between processes. All have this one interface:
/// message/ by MPI point-to-point messages; further ones lie beside it with the same file names.
#pragma once

#include <span>

namespace seam {

/// The channels of one operation, one for each send and receive step of its schedule.
///
/// Threads: send() from any thread, each step once; the rest by one thread at a time.
class transport {
public:
  transport() = default;
  transport(transport const&) = delete;
  transport& operator=(transport const&) = delete;
  virtual ~transport() = default;

  /// The operation is started once more. The same order of starts on all ranks.
  virtual void begin() {}

  /// From now on the wires of the receive steps [first, last) may be written.
  virtual void expect(int first, int last) = 0;

  /// The wire of send step `step` is complete and may leave.
  virtual void send(int step) = 0;

  /// Receive steps that have arrived since the last call; valid until the next one.
  virtual std::span<int const> arrivals() = 0;

  /// True if all steps sent so far have left their wires, which may then be written again.
  virtual bool all_sent() = 0;
};

} // namespace seam
