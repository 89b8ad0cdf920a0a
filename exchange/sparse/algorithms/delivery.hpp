/// Delivery: the interface of all algorithms of dynamic sparse data exchange. A process knows the
/// destinations of its messages, but neither the sources nor the number of those to receive.
///
/// The headers beside this one declare the algorithms. Results are the same, costs differ.
#pragma once

#include <seam/exchange/sparse/inbox.hpp>
#include <seam/exchange/sparse/outbox.hpp>

#include <span>

namespace seam::detail {

class delivery {
public:
  delivery() = default;
  delivery(delivery const&) = delete;
  delivery& operator=(delivery const&) = delete;
  virtual ~delivery() = default;

  /// Sends `out`, and adds to `in` the messages to this process, in the order of arrival.
  ///
  /// @param out  by rank, at most one to each, none to the caller; on return the bytes may change
  /// Collective: over the communicator that the delivery was made for.
  virtual void run(std::span<parcel const> out, inbox& in) = 0;
};

/// Delivers all messages of `out`, and clears it. The message of `rank`, the caller, to itself is
/// moved, the others are delivered by `algorithm`. As delivery::run().
void deliver(delivery& algorithm, int rank, outbox& out, inbox& in);

/// Tags of the communicator that deliveries share. Two of them alternate with the parity of the
/// exchange: no process can be two exchanges ahead of another.
namespace tags {
inline constexpr int consensus = 0; ///< plus parity
inline constexpr int counted = 2;   ///< plus parity
inline constexpr int dissemination = 4;
inline constexpr int frame = 5;
inline constexpr int body = 6;
inline constexpr int beside_memory = 7;
} // namespace tags

} // namespace seam::detail
