/// Messages of any length between two processes, checked. Waits for them are seam's own: other
/// operations move meanwhile, and stalls name the process at the other end.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/waiting/requests.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace seam::mpi {

/// Starts to send `bytes`, which must not be overwritten until the request is complete.
[[nodiscard]] MPI_Request start_send(comm_view over, std::span<std::byte const> bytes, int to,
                                     int tag);

/// Starts to send `bytes`; the request is complete only when `to` has begun to receive them.
[[nodiscard]] MPI_Request start_synchronous_send(comm_view over, std::span<std::byte const> bytes,
                                                 int to, int tag);

/// Starts to receive at most as many bytes as `into` holds.
[[nodiscard]] MPI_Request start_receive(comm_view over, std::span<std::byte> into, int from,
                                        int tag);

/// A message that has arrived and has not been received.
struct waiting_message {
  int source;
  std::int64_t bytes;
};

/// Looks for a message from `source`, which may be MPI_ANY_SOURCE. Local.
std::optional<waiting_message> look_for_message(comm_view over, int source, int tag);

/// Waits for a message from `source`, which may be MPI_ANY_SOURCE.
waiting_message wait_for_message(comm_view over, int source, int tag);

/// Sends `bytes` to `to`. Returns when they may be overwritten.
void send_bytes(comm_view over, std::span<std::byte const> bytes, int to, int tag);

/// Receives as many bytes as `into` holds from `from`, and waits for them.
void receive_bytes(comm_view over, std::span<std::byte> into, int from, int tag);

/// Sends `values` to `destination`. Returns when they may be overwritten.
template <class T>
void send(comm_view over, std::span<T const> values, int destination, int tag) {
  send_bytes(over, std::as_bytes(values), destination, tag);
}

/// Receives as many values as `values` holds from `source`, and waits for them.
template <class T>
void receive(comm_view over, std::span<T> values, int source, int tag) {
  receive_bytes(over, std::as_writable_bytes(values), source, tag);
}

} // namespace seam::mpi
