/// Delivery: what every algorithm of dynamic sparse data exchange does. Each process knows whom it
/// sends to; nobody knows whom they receive from until it has arrived, nor that nothing more will.
///
/// Implementations live beside this file and give the same result; they differ in what it costs.
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

  /// Sends `out` and adds to `in` what others send to this process, in the order of arrival.
  ///
  /// @param out  by rank, at most one to each, none to the caller; on return the bytes may change
  /// Collective: over the communicator that the delivery was made for.
  virtual void run(std::span<parcel const> out, inbox& in) = 0;
};

/// Delivers all of `out`, which is empty on return, by `way`; what `rank`, the caller, sends to
/// itself needs no way. As delivery::run().
void deliver(delivery& way, int rank, outbox& out, inbox& in);

/// Tags of the communicator that deliveries share. Those of the parity count alternate between
/// exchanges: nobody can be two exchanges ahead of another.
namespace tags {
inline constexpr int consensus = 0; ///< and parity
inline constexpr int counted = 2;   ///< and parity
inline constexpr int dissemination = 4;
inline constexpr int hypercube = 5;
inline constexpr int frame = 6;
inline constexpr int body = 7;
inline constexpr int beside_memory = 8;
} // namespace tags

} // namespace seam::detail
