/// Transports carry what a schedule's send steps read to where its receive steps put it. All have
/// this one interface: message/ by MPI point-to-point messages, shared/ through the memory of the
/// node, mixed/ by either, step by step.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace seam {

struct schedule;

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

  /// From now on the receive steps [first, last) may be carried out.
  virtual void expect(int first, int last) = 0;

  /// The sources of send step `step` are complete and may leave.
  virtual void send(int step) = 0;

  /// Receive steps that have been carried out since the last call: targets, or the staging buffer
  /// for a step without any, hold what has arrived.
  virtual std::span<int const> arrivals() = 0;

  /// True if the sources of all steps sent so far may be written again.
  virtual bool all_sent() = 0;
};

/// Makes the transport of a schedule whose wires lie in `staging`.
using transport_maker =
    std::function<std::unique_ptr<transport>(schedule const& steps, std::byte* staging)>;

} // namespace seam
