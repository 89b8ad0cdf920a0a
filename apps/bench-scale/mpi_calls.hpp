/// What this process has sent since it began, counted through MPI's profiling interface.
#pragma once

#include <cstdint>

namespace scale_bench {

/// Counts of one process. Messages and bytes of a collective call are those of the usual trees over
/// P processes, whatever the MPI library does on this machine:
///
///     barrier, bcast, allreduce, exscan, new communicator    log2 P messages, n log2 P bytes
///     allreduce of 10,000 bytes and more                     2 log2 P messages, 2 n (P - 1) / P bytes
///     allgather, alltoall, scatter, reduce_scatter, split    log2 P messages, n (P - 1) bytes
///     gather                                                 log2 P messages, n P / 2 bytes
///     gatherv                                                a message, n bytes
///
/// n are the bytes for one process. The second kind passes that many bytes through one process, a
/// gather half as many through the last child of the root.
struct mpi_calls {
  std::int64_t sends = 0;       ///< messages from one process to another
  std::int64_t collectives = 0; ///< collective calls
  std::int64_t messages = 0;    ///< `sends`, and those of the collective calls
  std::int64_t bytes = 0;       ///< in all these messages

  friend mpi_calls operator-(mpi_calls const& a, mpi_calls const& b) noexcept {
    return {a.sends - b.sends, a.collectives - b.collectives, a.messages - b.messages,
            a.bytes - b.bytes};
  }
};

/// The calls of this process until now. Local, any thread.
mpi_calls calls_until_now() noexcept;

} // namespace scale_bench
