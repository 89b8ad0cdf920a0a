/// Messages of bytes of any length between two processes, nonblocking and checked.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace seam::mpi {

/// Messages that are under way. Waits offer the core to others (see patience.hpp).
class requests {
public:
  void add(MPI_Request one) { under_way_.push_back(one); }

  /// Makes progress; true if all are complete. They are looked at one after the other: looking at
  /// many at a time is slow.
  bool test();

  /// Returns when all are complete.
  void wait();

private:
  std::vector<MPI_Request> under_way_;
  std::size_t num_complete_ = 0; ///< at the front
};

/// Starts to send. The bytes are not to be overwritten until it is complete.
[[nodiscard]] MPI_Request start_send(comm_view over, std::span<std::byte const> bytes, int to,
                                     int tag);

/// The same, but complete only when the other side has begun to receive.
[[nodiscard]] MPI_Request start_synchronous_send(comm_view over, std::span<std::byte const> bytes,
                                                 int to, int tag);

/// Starts to receive at most as many bytes as there are.
[[nodiscard]] MPI_Request start_receive(comm_view over, std::span<std::byte> into, int from,
                                        int tag);

/// A message that has arrived and not been received.
struct waiting_message {
  int source;
  std::int64_t bytes;
};

/// Looks for a message from `source`, which may be MPI_ANY_SOURCE. Local.
std::optional<waiting_message> look_for_message(comm_view over, int source, int tag);

/// The same, but waits for it.
waiting_message wait_for_message(comm_view over, int source, int tag);

} // namespace seam::mpi
