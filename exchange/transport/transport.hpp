/// Transports carry the messages of a schedule from its send steps to its receive steps. All have
/// one interface:
///
///     message/   by MPI point-to-point messages
///     node/      through the memory of the node
///     endpoint/  by messages between endpoints
///     mixed/     by several of them, step by step
///
///     carrier->begin();                            // once for each start of the operation
///     carrier->expect(0, num_receives);            // the receive steps of a round
///     carrier->send(0);                            // a send step whose sources are complete
///     for (int step : carrier->arrivals()) ...     // again and again, until all have arrived
///     carrier->all_sent();                         // and this is true
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace seam::detail {

struct schedule;

/// Carries the messages of one operation, one for each send and receive step of its schedule.
///
/// Threads: send() from any thread, each step once; the rest by one thread at a time.
class transport {
public:
  transport() = default;
  transport(transport const&) = delete;
  transport& operator=(transport const&) = delete;
  virtual ~transport() = default;

  /// Begins another start of the operation. All ranks start operations in the same order.
  virtual void begin() {}

  /// Allows the receive steps [first, last) to be carried out from now on.
  virtual void expect(int first, int last) = 0;

  /// Sends the sources of send step `step`, which are complete.
  virtual void send(int step) = 0;

  /// Returns the receive steps that have been carried out since the last call: their messages lie
  /// in the targets, or in the staging buffer for a step without targets.
  virtual std::span<int const> arrivals() = 0;

  /// True if the sources of all steps sent so far may be written again.
  virtual bool all_sent() = 0;

  /// Ends an operation that has failed, or will not be waited for: from now on nothing is written
  /// to targets that no message has reached, and the program may free them.
  virtual void give_up() noexcept {}
};

/// Makes the transport of a schedule whose wires lie in `staging`.
using transport_maker =
    std::function<std::unique_ptr<transport>(schedule const& steps, std::byte* staging)>;

} // namespace seam::detail
