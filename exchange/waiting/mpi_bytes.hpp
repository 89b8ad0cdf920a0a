/// Messages of bytes of any length between two processes, nonblocking and checked.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace seam::mpi {

/// Messages in flight. Waits yield the core (see patience.hpp).
class requests {
public:
  void add(MPI_Request started) { under_way_.push_back(started); }

  /// Makes progress; true if all are complete. Tests one request after the other: to test many at a
  /// time is slow.
  bool test();

  /// Returns when all are complete.
  void wait();

private:
  std::vector<MPI_Request> under_way_;
  std::size_t num_complete_ = 0; ///< of the first ones
};

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

} // namespace seam::mpi
