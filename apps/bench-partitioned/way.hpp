/// Ways: methods to send the partitions of a buffer from one rank to the next, epoch after epoch.
#pragma once

#include <kit/benchmark.hpp>
#include <seam/seam.hpp>

#include <span>
#include <vector>

namespace partitioned_bench {

/// The ranks that a rank sends to and receives from, with buffers in partitions of equal length.
struct route {
  seam::Communicator const& comm;
  int to, from; ///< ranks, or MPI_PROC_NULL
  int partitions;
  std::span<std::byte> out, in; ///< in seam's shared memory

  bool sends() const { return to != MPI_PROC_NULL; }
  bool receives() const { return from != MPI_PROC_NULL; }
  int partition_bytes() const { return static_cast<int>(out.size()) / partitions; }
};

/// A method to send partitions along a route.
/// Threads: ready() from any, the rest by one.
class way : public bench::method {
public:
  /// Starts an epoch.
  virtual void start() = 0;

  /// Marks partition `p` as ready to be sent.
  virtual void ready(int p) = 0;

  /// Ends an epoch in which all partitions are ready. Returns when the sent buffer may be written
  /// and all partitions have arrived.
  virtual void finish() = 0;
};

/// seam's partitioned messages; the whole buffer as one message, by MPI_Isend or by a persistent request; a
/// message for each partition, by the thread that has written it; MPI 4's partitioned messages.
using contender = bench::rival_of<way, route const&>;
std::vector<contender> contenders();

} // namespace partitioned_bench
